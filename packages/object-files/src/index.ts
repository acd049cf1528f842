export { archive } from "./archive.js";
export type { ArchiveMember } from "./archive-member.js";
export type { CodeFeature, FrameTable, ObjectFile, ObjectSymbol, Relocation, Section } from "./object-file.js";
export { relocatableObject } from "./relocatable-object.js";
export { sharedObject } from "./shared-object.js";
