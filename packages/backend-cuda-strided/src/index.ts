/// <reference lib="esnext.disposable" preserve="true" />
export { CudaStridedBackend, type StridedOptions } from "./backend.js";
export { STRIDED_COSTS } from "./cost-model.js";
export { programFor, type StridedProgram } from "./kernel/build.js";
export { registerCudaStrided } from "./register.js";
export { shapeName, shapeOf, type DeviceFacts, type Shape } from "./shape.js";
export type { Transfer } from "./transfer.js";
export { recordBytes } from "./record-fields.js";
export { tileBytes, writeRecord } from "./record.js";
export { DoorbellBackend } from "./resident/doorbell-backend.js";
export type { ResidentOptions } from "./resident/resident-pack.js";
