import { PackPlan, type Mpi } from "@stowage/mpi-abi";
import type { HostPlaced } from "../place/placed.js";
import type { Staging } from "../place/staging.js";
import type { MeasuredCost } from "./measured-cost.js";

const RUNS = 4;
/** More would only cost time: a pack's speed no longer changes. */
const MOST_BYTES = 256 * 1024;

/**
 * Measures on the message's own elements, which are only read: unpacking costs about what packing does, and a
 * receiver's buffer may not be written before its message is there.
 */
export function measureRoutes(mpi: Mpi, placed: HostPlaced, staging: Staging): MeasuredCost {
  const { type, buffer, originBytes } = placed;
  const count = Math.min(placed.count, Math.max(1, Math.floor(MOST_BYTES / type.sizeBytes)));
  const bytes = count * type.sizeBytes;
  const [packed, copied] = [staging.take(bytes), staging.take(bytes)];
  try {
    const from = packed.bytes.subarray(0, bytes);
    const packing = { datatype: type.native, count, scattered: buffer.bytes, originBytes, packed: from };
    const plan = new PackPlan(mpi, packing);
    const native = (): void => plan.pack();
    const ours = (): void => {
      type.committed.pack({ memory: buffer, originBytes }, from, { count }).wait();
      copied.bytes.set(from);
    };
    const [nativeNs, packedNs] = minima(native, ours);
    return { route: packedNs < nativeNs ? "packed" : "native", nativeNs, packedNs };
  } catch {
    // Some MPIs refuse or spoil types that ours pack: MPICH 4.0.2 packs contiguous ones short once hundreds are alive.
    return { route: "packed", nativeNs: Infinity, packedNs: 0 };
  } finally {
    staging.give(packed);
    staging.give(copied);
  }
}

function minima(first: () => void, second: () => void): readonly [number, number] {
  let [least, other] = [Infinity, Infinity];
  for (let run = 0; run < RUNS; run++) {
    least = Math.min(least, timed(first));
    other = Math.min(other, timed(second));
  }
  return [least, other];
}

function timed(run: () => void): number {
  const start = performance.now();
  run();
  return (performance.now() - start) * 1e6;
}
