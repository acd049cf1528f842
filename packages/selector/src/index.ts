export type { CommitOptions } from "./commit-options.js";
export { Committed, type Extent } from "./committed.js";
export { createEngine, type EngineOptions } from "./create-engine.js";
export { Engine, type EngineSettings } from "./engine.js";
export type { Place } from "./place.js";
export { choose, NoBackendError, PREFERENCE, type Candidate, type Choice } from "./preference.js";
