import { SimulationError, translate, type Launch } from "@stowage/ptx";
import type { Calls } from "../calls.js";
import * as results from "../results.js";
import { give } from "./device-calls.js";
import { graphCalls } from "./graph-calls.js";
import type { Machine, SimulatedFunction } from "./machine.js";
import type { GraphNode } from "./timeline.js";

type KernelCall = Extract<
  keyof Calls,
  `cuModule${string}` | `cuFunc${string}` | "cuLaunchKernelEx" | `cuOccupancy${string}` | `cuGraph${string}`
>;

const SHARED_WITHOUT_OPT_IN = 48 * 1024;
const SHARED_AT_MOST = 232_448;
const MAX_BLOCK_THREADS = 1024;

export function kernelCalls(machine: Machine): Pick<Calls, KernelCall> {
  const { space, modules, functions, model } = machine;
  const read = (address: number, bytes: number): ArrayBufferLike => space.read(address, bytes).buffer;

  /** A kernel's node: the parameters are the driver's own copy, made now. */
  const kernelNode = (func: SimulatedFunction, shape: Uint32Array, extra: number): GraphNode | number => {
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
  };

  return {
    ...graphCalls(machine, kernelNode),
    cuModuleLoadDataEx(out, image, _count, _names, values) {
      const text = new TextDecoder().decode(image.subarray(0, -1));
      const kernel = machine.kernels.get(text);
      const refusal = kernel === undefined ? "expected a rendered kernel's text" : refuse(text, model);
      if (kernel === undefined || refusal !== undefined) {
        space.write(Number(values[0]), new TextEncoder().encode(`${refusal}\0`));
        return results.INVALID_PTX;
      }
      if (machine.current === undefined) return results.INVALID_CONTEXT;
      out[0] = BigInt(modules.add({ kernel, device: machine.current, functions: new Map() }));
      return results.SUCCESS;
    },
    cuModuleUnload(handle) {
      const module = modules.get(handle);
      if (module === undefined) return results.INVALID_HANDLE;
      machine.drainAll();
      for (const func of module.functions.values()) functions.remove(func);
      modules.remove(handle);
      return results.SUCCESS;
    },
    cuModuleGetFunction(out, handle, name) {
      const module = modules.get(handle);
      if (module === undefined) return results.INVALID_HANDLE;
      const wanted = new TextDecoder().decode(name.subarray(0, -1));
      if (module.kernel.name !== wanted) return results.NOT_FOUND;
      const known = module.functions.get(wanted);
      const func =
        known ??
        functions.add({
          translation: translate(module.kernel, { countAccesses: machine.launched !== undefined }),
          device: module.device,
          sharedBytes: 0,
        });
      module.functions.set(wanted, func);
      out[0] = BigInt(func);
      return results.SUCCESS;
    },
    cuFuncGetAttribute(value, attribute, handle) {
      const func = functions.get(handle);
      if (func === undefined) return results.INVALID_HANDLE;
      const { kernel } = func.translation;
      const known: Readonly<Record<number, number>> = {
        1: kernel.sharedBytes,
        3: 0,
        4: Math.min(255, kernel.registers),
      };
      const fact = known[attribute];
      return fact === undefined ? results.INVALID_VALUE : give(value, fact);
    },
    cuFuncSetAttribute(handle, attribute, value) {
      const func = functions.get(handle);
      if (func === undefined) return results.INVALID_HANDLE;
      const DYNAMIC_SHARED = 8;
      if (attribute !== DYNAMIC_SHARED || value > SHARED_AT_MOST) return results.INVALID_VALUE;
      func.sharedBytes = value;
      return results.SUCCESS;
    },
    // Threads alone bound it here; a real device counts registers and shared memory too.
    cuOccupancyMaxActiveBlocksPerMultiprocessor: (blocks, _func, threads) =>
      give(blocks, Math.min(32, Math.floor(2048 / threads))),
    cuLaunchKernelEx(config, handle, _parameters, extra) {
      const func = functions.get(handle);
      if (func === undefined) return results.INVALID_HANDLE;
      const bytes = read(config, 56);
      const node = kernelNode(func, new Uint32Array(bytes, 0, 7), extra);
      if (typeof node === "number") return node;
      const CONFIG_STREAM = 32;
      return machine.enqueue(Number(new BigUint64Array(bytes, CONFIG_STREAM, 1)[0]), node);
    },
  };
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

/** Why a device refuses a text: a newer architecture or PTX version than its own. */
function refuse(text: string, model: { readonly architecture: number; readonly version: number }): string | undefined {
  const target = Number(/^\.target sm_(\d+)/m.exec(text)?.[1] ?? 0);
  if (target > model.architecture) return `expected a target of sm_${model.architecture} or below, got sm_${target}`;
  return undefined;
}
