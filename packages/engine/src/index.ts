export { askAll, chooseFirst, type Candidate, type Choice, type Choose } from "./choose.js";
export type { CommitOptions } from "./commit-options.js";
export { Committed, type Extent } from "./committed.js";
export { CommittedCopy } from "./committed-copy.js";
export type { CommitCopyOptions, CopyOptions } from "./copy-options.js";
export { Engine, type EngineSettings } from "./engine.js";
export { NoBackendError } from "./no-backend-error.js";
export type { Place } from "./place.js";
