// An MPI world whose GPUs are simulated, or this machine's where STOWAGE_TEST_GPUS is real; to be imported before
// checks.mjs, which opens no other.
import { copyBytes, openCuda, openSimulatedCuda, sharedPages } from "@stowage/cuda-driver";
import { openNccl, openSimulatedNccl } from "@stowage/nccl";
import { openMpi } from "@stowage/mpi-bridge";

const GPUS = process.env.STOWAGE_TEST_GPUS ?? "shared";
const LAUNCHED = Number(process.env.OMPI_COMM_WORLD_RANK ?? process.env.PMI_RANK ?? 0);
const real = GPUS === "real" ? openCuda() : undefined;
/** Which GPUs of the machine this rank sees, and which of them it uses. */
const [visible, ordinal] = {
  real: [[], LAUNCHED % (real?.devices.length ?? 1)],
  shared: [[0, 1], LAUNCHED % 2],
  // Each sees them in another order, as CUDA_VISIBLE_DEVICES may have it.
  own: [LAUNCHED % 2 === 1 ? [1, 0] : [0, 1], 0],
  each: [[0, 1, 2, 3], LAUNCHED],
}[GPUS];

/**
 * What every call of the driver gives from here on, as a device that was lost does, or one call by its name; undefined:
 * what it should.
 */
export const fault = { result: undefined, call: undefined };
export const driver =
  real ??
  openSimulatedCuda({
    visible,
    fault: (call) => fault.call?.(call) ?? fault.result,
    ...(process.env.STOWAGE_TEST_PAGES === "none" ? {} : { shared: sharedPages() }),
  });
/** What calls of NCCL give, by name, and what opening it throws. */
export const ncclFault = { call: undefined, open: undefined };
const nccl = () => {
  if (ncclFault.open !== undefined) throw ncclFault.open;
  return real === undefined ? openSimulatedNccl(driver, { fault: (call) => ncclFault.call?.(call) }) : openNccl();
};
openMpi({ cuda: () => driver, nccl });
/** The context of the GPU that this rank uses. */
export const context = driver.context(ordinal);
const stream = context.stream();

function move(bytes, memory, toDevice) {
  const [host, there] = [context.libcuda.addressOf(bytes), memory.address];
  copyBytes(context, toDevice ? there : host, toDevice ? host : there, bytes.byteLength).run(stream);
  stream.synchronize();
}

/** Device memory that holds these bytes. */
export function onDevice(bytes) {
  const memory = context.deviceMemory(bytes.byteLength);
  move(bytes, memory, true);
  return memory;
}

/** What device memory holds. */
export function bytesOf(memory) {
  const bytes = new Uint8Array(memory.sizeBytes);
  move(bytes, memory, false);
  return bytes;
}
