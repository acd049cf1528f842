export {
  Committed,
  CommittedCopy,
  Engine,
  NoBackendError,
  type Candidate,
  type Choice,
  type CommitCopyOptions,
  type CommitOptions,
  type CopyOptions,
  type Extent,
  type Place,
} from "@stowage/engine";
export { candidatesFor, choose } from "./choose-by-preference.js";
export { createEngine, type EngineOptions } from "./create-engine.js";
export { PREFERENCE, situationOf, type Situation } from "./preference.js";
