export { writeAddresses, type AddressField, type AddressWords } from "./address-field.js";
export { originAddress } from "./bound-moves.js";
export { CudaPlan, type PlanParts } from "./cuda-plan.js";
export { anyDeviceOf, soleDeviceOf } from "./device-of.js";
export { asDeviceError, withDeviceErrors } from "./device-errors.js";
export { Devices } from "./devices.js";
export { isLegacy, LEGACY_STREAM } from "./legacy-stream.js";
export { testMemory, type DeviceTestMemory } from "./test-memory.js";
export type { Prepare, Work } from "./work.js";
