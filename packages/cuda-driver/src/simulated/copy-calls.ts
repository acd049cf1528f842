import type { Calls } from "../calls.js";
import * as results from "../results.js";
import { batchCalls } from "./batch-copy.js";
import type { Machine } from "./machine.js";
import { decode2D, decode3D, refusalOf, runStructured, type StructuredCopy } from "./structured-copy.js";
import { drain } from "./timeline.js";

type CopyCall = Extract<keyof Calls, `cuMemcpy${string}` | "cuMemsetD8Async">;

export function copyCalls(machine: Machine): Pick<Calls, CopyCall> {
  const { space } = machine;
  /** The driver's own copy of what the caller points at. */
  const words = (address: number, count: number) => new BigUint64Array(space.read(address, count * 8).buffer);
  return {
    cuMemcpyAsync: (target, source, bytes, stream) => move(machine, stream, target, source, bytes),
    cuMemcpyPeerAsync: (target, _to, source, _from, bytes, stream) => move(machine, stream, target, source, bytes),
    cuMemcpy2DAsync_v2: (address, stream) => structured(machine, decode2D(words(address, 16)), stream),
    cuMemcpy3DAsync_v2: (address, stream) => structured(machine, decode3D(words(address, 25)), stream),
    ...batchCalls(machine),
    cuMemsetD8Async(target, value, bytes, stream) {
      if (!space.holds(target, bytes)) return results.INVALID_VALUE;
      return machine.enqueue(stream, { kernel: false, run: () => space.fill(target, value, bytes) });
    },
  };
}

/**
 * Pageable sources are read, and pageable targets written, before the call returns (CUDA, "API synchronization
 * behavior").
 */
function move(machine: Machine, stream: number, target: number, source: number, bytes: number): number {
  const { space } = machine;
  if (bytes === 0) return results.SUCCESS;
  if (!space.holds(target, bytes) || !space.holds(source, bytes)) return results.INVALID_VALUE;
  return machine.withStream(stream, (held) => {
    if (held.capture === undefined && isPageable(machine, source)) {
      const snapshot = space.read(source, bytes);
      machine.send(held, () => space.write(target, snapshot));
      return results.SUCCESS;
    }
    const result = machine.enqueue(stream, { kernel: false, run: () => space.copy(target, source, bytes) });
    if (held.capture === undefined && isPageable(machine, target)) drain(held);
    return result;
  });
}

function isPageable({ space, registered }: Machine, address: number): boolean {
  if (space.ownerOf(address) !== undefined) return false;
  for (const [start, bytes] of registered) if (address >= start && address < start + bytes) return false;
  return true;
}

function structured(machine: Machine, copy: StructuredCopy, stream: number): number {
  if (copy.widthBytes === 0 || copy.rows === 0 || copy.planes === 0) return results.SUCCESS;
  const refusal = refusalOf(copy, machine.space);
  if (refusal !== undefined) return refusal;
  return machine.enqueue(stream, { kernel: false, run: () => runStructured(copy, machine.space) });
}
