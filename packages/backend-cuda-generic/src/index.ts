export { CudaGenericBackend } from "./backend.js";
export { DEFAULT_TUNING, paperTuning, type CudaGenericOptions, type Tuning } from "./options.js";
export { registerCudaGeneric } from "./register.js";
