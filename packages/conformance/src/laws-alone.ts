// The laws without a test runner: everything but describeBackend, which needs vitest to be running.
export { checkLaw } from "./check-law.js";
export type { FreshProcess } from "./fresh/fresh-process.js";
export { LawViolation } from "./law-violation.js";
export type { Law } from "./laws/law.js";
export { LAWS } from "./laws/laws.js";
export { HOST_MEMORY, type TestMemory, type TestPages } from "./memory/test-memory.js";
export type { TestView } from "./memory/test-view.js";
export type { Entry } from "./reference/byte-map.js";
export { referenceBounds, type ReferenceBounds } from "./reference/reference-bounds.js";
export { referencePack, referenceUnpack, type Scattered } from "./reference/reference-pack.js";
export { referenceTypeMap } from "./reference/reference-type-map.js";
export type { Canonicalise, LawOptions } from "./settings.js";
