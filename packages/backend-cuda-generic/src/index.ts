/// <reference lib="esnext.disposable" preserve="true" />
export { CudaGenericBackend } from "./backend.js";
export { genericCosts, type Tier } from "./cost-model.js";
export { LAUNCH_FORMAT, type PlanSpace } from "./kernel/plan-block.js";
export { pageCode, type PageCode, type PageKernel, type PageSide } from "./tabled/standalone.js";
export { TABLED_FORMAT } from "./tabled/record.js";
export type { DataHints } from "./kernel/variant.js";
export { DEFAULT_TUNING, paperTuning, type CudaGenericOptions, type Sharing, type Tuning } from "./options.js";
export { registerCudaGeneric } from "./register.js";
