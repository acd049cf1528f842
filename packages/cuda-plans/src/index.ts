/// <reference lib="esnext.disposable" preserve="true" />
export { writeAddresses, type AddressField, type AddressWords } from "./address-field.js";
export { originAddress } from "./bound-moves.js";
export { CallPlans } from "./call-plans.js";
export { CapturedPlan, type Capturable } from "./captured-plan.js";
export { checkMemory } from "./check-pointers.js";
export { Completions } from "./completions.js";
export { FlagCompletions } from "./flag-completions.js";
export type { Marker } from "./marker.js";
export { CudaKernel, type KernelParts } from "./cuda-kernel.js";
export { CudaPlan, type PlanParts } from "./cuda-plan.js";
export { devicesOf, soleDeviceOf, type RunsOn } from "./device-of.js";
export { asDeviceError, withDeviceErrors } from "./device-errors.js";
export { Devices } from "./devices.js";
export { isLegacy, LEGACY_STREAM } from "./legacy-stream.js";
export { testMemory, type DeviceTestMemory } from "./test-memory.js";
export { requireOwnQueue } from "./require-own-queue.js";
export type { Prepare, Usage, Work } from "./work.js";
