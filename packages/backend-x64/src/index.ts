/// <reference lib="esnext.disposable" preserve="true" />
export { alternativeFigures, silentAlternatives, type Alternative } from "./alternatives.js";
export { X64Backend } from "./backend.js";
export { X64_COSTS } from "./cost-model.js";
export { FEATURE_LEVELS, type FeatureLevel } from "./feature-level.js";
export { elementMachineCode, machineCode, MOST_ELEMENT_BYTES } from "./machine-code.js";
export { portableArtifact } from "./portable-artifact.js";
export { DEFAULT_TUNING, type Tuning, type X64Options } from "./options.js";
export { wholeElementRanges } from "./fragments.js";
export { registerX64 } from "./register.js";
export type { Behaviour } from "./targets/behaviour.js";
export type { Geometry, Ways } from "./targets/geometry.js";
export type { Processor } from "./targets/processor.js";
export type { Target } from "./targets/target.js";
export { TARGETS } from "./targets/target-of.js";
export { targetHere, undescribedTarget } from "./undescribed-target.js";
export { sharedCommitNs, sharedNs, type SharingMode } from "./threads/shared-time.js";
export { FORMAT_VERSION as X64_FORMAT_VERSION } from "./payload.js";
