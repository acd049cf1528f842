/// <reference lib="esnext.disposable" preserve="true" />
export { backendContender, type CommitBy } from "./backend-contender.js";
export { benchOnDevice, type DeviceBench } from "./bench-on-device.js";
export { CellInput } from "./cell-input.js";
export { copyRouteContender, memcpyContender, ROUTE_CALL } from "./copy-contenders.js";
export { prepare, type DeviceRun } from "./device-run.js";
export { driverText } from "./driver-text.js";
export { Gpu, PIECE_BYTES } from "./gpu.js";
export { packedOutput, scatteredOutput, type Output } from "./output.js";
export { DEVICE_ROUTES, packedKind, type DeviceRoute, type PackedKind } from "./routes.js";
export { withOutput } from "./with-output.js";
