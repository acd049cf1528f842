/// <reference lib="esnext.disposable" preserve="true" />
export { CudaGenericBackend } from "./backend.js";
export { genericCosts, type Tier } from "./cost-model.js";
export { LAUNCH_FORMAT, type PlanSpace } from "./kernel/plan-block.js";
export type { DataHints } from "./kernel/variant.js";
export { DEFAULT_TUNING, paperTuning, type CudaGenericOptions, type Tuning } from "./options.js";
export { registerCudaGeneric } from "./register.js";
