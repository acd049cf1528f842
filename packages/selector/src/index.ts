export {
  MODELS_VERSION,
  parseProfile,
  profileOf,
  PROFILE_SCHEMA,
  profileText,
  type ProfileDocument,
  type ProfiledMachine,
} from "@stowage/backend-api";
export {
  askAll,
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
  type LoadOptions,
  type RangeOptions,
} from "@stowage/engine";
export { fitFigures, fitThreads, type Fitted, type MeasuredCall, type SharedCall } from "./calibrate/fit-figures.js";
export { syntheticGrid, type GridPoint } from "./calibrate/synthetic-grid.js";
export { chooserByCost } from "./choose/choose-by-cost.js";
export { createEngine } from "./create-engine.js";
export type { EngineOptions } from "./engine-options.js";
export { findProfile, type FoundProfile } from "./profile/find-profile.js";
export { ownProfilePath } from "./profile/profile-path.js";
export { messageNs } from "./profile/message-time.js";
export { profileDifference, type FigureDifference } from "./profile/profile-difference.js";
export { staleness, thisMachine } from "./profile/this-machine.js";
