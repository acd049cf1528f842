import { SimulationError, type Launch } from "@stowage/ptx";
import type { Calls } from "../calls.js";
import * as results from "../results.js";
import { give } from "./give.js";
import type { Machine, SimulatedFunction } from "./machine.js";
import type { GraphNode } from "./timeline.js";

type LaunchCall = "cuLaunchKernelEx" | `cuOccupancyMaxActiveBlocksPerMultiprocessor`;

const SHARED_WITHOUT_OPT_IN = 48 * 1024;
const MAX_BLOCK_THREADS = 1024;
const CONFIG_STREAM = 32;

export function launchCalls(machine: Machine): Pick<Calls, LaunchCall> {
  return {
    // Threads alone bound it here; a real device counts registers and shared memory too.
    cuOccupancyMaxActiveBlocksPerMultiprocessor: (blocks, _func, threads) =>
      give(blocks, Math.min(32, Math.floor(2048 / threads))),
    cuLaunchKernelEx(config, handle, _parameters, extra) {
      const func = machine.functions.get(handle);
      if (func === undefined) return results.INVALID_HANDLE;
      const bytes = machine.space.read(config, 56).buffer;
      const node = kernelNode(machine, func, new Uint32Array(bytes, 0, 7), extra);
      if (typeof node === "number") return node;
      const stream = Number(new BigUint64Array(bytes, CONFIG_STREAM, 1)[0]);
      // A launch fails in a stream of another device. CUDA programming guide, "Stream and event behavior".
      return machine.withStream(stream, ({ device }) =>
        device === func.device ? machine.enqueue(stream, node) : results.INVALID_HANDLE,
      );
    },
  };
}

/** A kernel's node, or why it is refused: the parameters are the driver's own copy, made now. */
export function kernelNode(
  machine: Machine,
  func: SimulatedFunction,
  shape: Uint32Array,
  extra: number,
): GraphNode | number {
  const read = (address: number, bytes: number) => machine.space.read(address, bytes).buffer;
  const [gx = 0, gy = 0, gz = 0, bx = 0, by = 0, bz = 0, sharedBytes = 0] = shape;
  const threads = bx * by * bz;
  if (gx * gy * gz === 0 || threads === 0 || threads > MAX_BLOCK_THREADS || gy > 65_535 || gz > 65_535 || bz > 64) {
    return results.INVALID_VALUE;
  }
  if (sharedBytes > Math.max(SHARED_WITHOUT_OPT_IN, func.sharedBytes)) return results.INVALID_VALUE;
  const words = new BigUint64Array(read(extra, 40)); // pointer tag, pointer, size tag, size pointer, end
  const sizeBytes = Number(new BigUint64Array(read(Number(words[3]), 8))[0]);
  if (sizeBytes < func.translation.kernel.parameterBytes) return results.INVALID_VALUE;
  const parameters = new Uint8Array(read(Number(words[1]), sizeBytes));
  const launch: Launch = { grid: [gx, gy, gz], block: [bx, by, bz], parameters };
  return { kernel: true, run: () => runKernel(machine, func, launch) };
}

/** A faulting kernel loses the context, as on a device: every later call gives its result. */
function runKernel(machine: Machine, func: SimulatedFunction, launch: Launch): void {
  if (machine.sticky !== undefined) return;
  try {
    const reaches = (address: bigint): boolean => reachedBy(machine, func.device, Number(address));
    const counters = func.translation.launch(
      machine.space.memory,
      machine.model.devices === 1 ? launch : { ...launch, reaches },
    );
    machine.launched?.(func.translation.kernel, counters);
  } catch (error) {
    if (!(error instanceof SimulationError)) throw error;
    machine.sticky = { result: results.ILLEGAL_ADDRESS, text: error.message };
  }
}

/** A kernel reaches its own device's memory, the host's, and that of peers it was given access to. */
function reachedBy({ space, peers }: Machine, device: number, address: number): boolean {
  const owner = space.ownerOf(address);
  return owner?.kind !== "device" || owner.device === device || peers.has(device, owner.device);
}
