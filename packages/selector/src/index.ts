export { candidatesFor, choose, type Candidate, type Choice } from "./choose.js";
export type { CommitOptions } from "./commit-options.js";
export { Committed, type Extent } from "./committed.js";
export { createEngine, type EngineOptions } from "./create-engine.js";
export { Engine, type EngineSettings } from "./engine.js";
export { NoBackendError } from "./no-backend-error.js";
export type { Place } from "./place.js";
export { PREFERENCE, situationOf, type Situation } from "./preference.js";
