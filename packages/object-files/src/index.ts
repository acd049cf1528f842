export { archive, type ArchiveMember } from "./archive.js";
export type { ObjectFile, ObjectSymbol, Relocation, Section } from "./object-file.js";
export { relocatableObject } from "./relocatable-object.js";
export { sharedObject } from "./shared-object.js";
