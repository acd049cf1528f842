export {
  Committed,
  CommittedCopy,
  Engine,
  NoBackendError,
  type BufferLike,
  type CallOptions,
  type Candidate,
  type Choice,
  type CommitCopyOptions,
  type CommitOptions,
  type CopyOptions,
  type DatatypeLike,
  type RangeOptions,
} from "@stowage/engine";
export { candidatesFor, choose } from "./choose-by-preference.js";
export { createEngine } from "./create-engine.js";
export type { EngineOptions } from "./engine-options.js";
export { PREFERENCE, situationOf, type Situation } from "./preference.js";
