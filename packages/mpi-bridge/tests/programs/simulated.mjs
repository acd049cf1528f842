// An MPI world whose GPUs are simulated; to be imported before checks.mjs, which opens no other.
import { copyBytes, openSimulatedCuda } from "@stowage/cuda-driver";
import { openMpi } from "@stowage/mpi-bridge";
import { sharedPages } from "./shared-pages.mjs";

const ODD_RANK = Number(process.env.OMPI_COMM_WORLD_RANK ?? process.env.PMI_RANK) % 2 === 1;
const OWN_ORDER = process.env.STOWAGE_TEST_GPUS === "own";

/** What every call of the driver gives from here on, as a device that was lost does, or one call by its name; undefined: what it should. */
export const fault = { result: undefined, call: undefined };
export const driver = openSimulatedCuda({
  // STOWAGE_TEST_GPUS=own: each rank sees the GPUs in another order, as CUDA_VISIBLE_DEVICES may have it.
  visible: OWN_ORDER ? (ODD_RANK ? [1, 0] : [0, 1]) : [0, 1],
  fault: (call) => fault.call?.(call) ?? fault.result,
  ...(process.env.STOWAGE_TEST_PAGES === "none" ? {} : { shared: sharedPages() }),
});
openMpi({ cuda: () => driver });
/** Of the GPU that this rank uses: ranks take turns. */
export const context = driver.context(OWN_ORDER ? 0 : openMpi().world.rank % 2);
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
