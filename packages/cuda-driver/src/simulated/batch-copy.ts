import type { Calls } from "../calls.js";
import * as results from "../results.js";
import type { Machine } from "./machine.js";
import { decodeBatch3D, refusalOf, runStructured } from "./structured-copy.js";

type Batches = "cuMemcpyBatchAsync" | "cuMemcpy3DBatchAsync";

/** Neither takes the legacy default stream, a capture, or a driver before CUDA 12.8. */
export function batchCalls(machine: Machine): Pick<Calls, Batches> {
  const { space } = machine;
  const words = (address: number, count: number) => new BigUint64Array(space.read(address, count * 8).buffer);
  const refused = (failed: number, which: number): number => {
    space.write(failed, new Uint8Array(BigUint64Array.of(BigInt(which)).buffer));
    return results.INVALID_VALUE;
  };
  return {
    cuMemcpyBatchAsync(targets, sources, sizes, count, _attributes, _indices, _attributeCount, failed, stream) {
      const refusal = refusalOfStream(machine, stream);
      if (refusal !== undefined) return refusal;
      const [to, from, bytes] = [targets, sources, sizes].map((address) => Array.from(words(address, count), Number));
      const copies = (to ?? []).map((target, i) => ({ target, source: from?.[i] ?? 0, bytes: bytes?.[i] ?? 0 }));
      const wrong = copies.findIndex(
        (copy) => !space.holds(copy.target, copy.bytes) || !space.holds(copy.source, copy.bytes),
      );
      if (wrong >= 0) return refused(failed, wrong);
      const run = (): void => copies.forEach((copy) => space.copy(copy.target, copy.source, copy.bytes));
      return machine.enqueue(stream, { kernel: false, run });
    },
    cuMemcpy3DBatchAsync(count, operations, failed, _flags, stream) {
      const refusal = refusalOfStream(machine, stream);
      if (refusal !== undefined) return refusal;
      const copies = Array.from({ length: count }, (_, i) => decodeBatch3D(words(operations + i * 112, 14)));
      const wrong = copies.findIndex((copy) => refusalOf(copy, space) !== undefined);
      if (wrong >= 0) return refused(failed, wrong);
      return machine.enqueue(stream, {
        kernel: false,
        run: () => copies.forEach((copy) => runStructured(copy, space)),
      });
    },
  };
}

function refusalOfStream(machine: Machine, stream: number): number | undefined {
  const held = machine.stream(stream);
  if (held === undefined) return results.INVALID_HANDLE;
  if (stream <= 1) return results.INVALID_VALUE;
  if (held.capture !== undefined) {
    held.capture.invalidated = true;
    return results.STREAM_CAPTURE_UNSUPPORTED;
  }
  return machine.model.version < 12_080 ? results.CALL_REQUIRES_NEWER_DRIVER : undefined;
}
