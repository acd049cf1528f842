/// <reference lib="esnext.disposable" preserve="true" />
export { NcclCommunicator, type Transfer } from "./communicator.js";
export { Nccl, openNccl, openSimulatedNccl, type Member } from "./nccl.js";
export { NcclError } from "./nccl-error.js";
export type { SimulatedNcclOptions } from "./simulated/libnccl.js";
