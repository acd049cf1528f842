import type { Calls } from "../calls.js";
import * as results from "../results.js";
import type { Machine } from "./machine.js";

/** cuMemcpyBatchAsync takes neither the legacy default stream nor a capture. */
export function batchCopy(machine: Machine): Calls["cuMemcpyBatchAsync"] {
  const { space } = machine;
  const words = (address: number, count: number) => new BigUint64Array(space.read(address, count * 8).buffer);
  return (targets, sources, sizes, count, _attributes, _indices, _attributeCount, failed, stream) => {
    const held = machine.stream(stream);
    if (held === undefined) return results.INVALID_HANDLE;
    if (stream <= 1) return results.INVALID_VALUE;
    if (held.capture !== undefined) {
      held.capture.invalidated = true;
      return results.STREAM_CAPTURE_UNSUPPORTED;
    }
    if (machine.model.version < 12_080) return results.CALL_REQUIRES_NEWER_DRIVER;
    const [to, from, bytes] = [targets, sources, sizes].map((address) => Array.from(words(address, count), Number));
    const copies = (to ?? []).map((target, i) => ({ target, source: from?.[i] ?? 0, bytes: bytes?.[i] ?? 0 }));
    const wrong = copies.findIndex(
      (copy) => !space.holds(copy.target, copy.bytes) || !space.holds(copy.source, copy.bytes),
    );
    if (wrong >= 0) {
      space.write(failed, new Uint8Array(BigUint64Array.of(BigInt(wrong)).buffer));
      return results.INVALID_VALUE;
    }
    const run = (): void => copies.forEach((copy) => space.copy(copy.target, copy.source, copy.bytes));
    return machine.enqueue(stream, { kernel: false, run });
  };
}
