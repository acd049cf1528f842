export { X64Backend } from "./backend.js";
export { X64_COSTS } from "./cost-model.js";
export { FEATURE_LEVELS, type FeatureLevel } from "./feature-level.js";
export { elementMachineCode, machineCode, MOST_ELEMENT_BYTES } from "./machine-code.js";
export { DEFAULT_TUNING, type Tuning, type X64Options } from "./options.js";
export { wholeElementRanges } from "./fragments.js";
export { registerX64 } from "./register.js";
export { sharedCommitNs, sharedNs, type SharingMode } from "./threads/shared-time.js";
