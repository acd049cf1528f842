import { PackPlan } from "@stowage/mpi-abi";
import type { Context } from "../context.js";
import type { HostPlaced, Placed } from "../place/placed.js";
import type { MeasuredCost } from "./measured-cost.js";

const RUNS = 4;
/** More would only cost time: a pack's speed no longer changes. */
const MOST_BYTES = 256 * 1024;

/** Packs of a message's elements, measured once for a datatype and a size class. */
export function packFigures(context: Context, placed: HostPlaced): MeasuredCost {
  const { costs } = placed.type;
  const sizeClass = sizeClassOf(placed);
  let known = costs.get(sizeClass);
  if (known === undefined) costs.set(sizeClass, (known = measurePacks(context, placed)));
  return known;
}

/** A power of two, by its logarithm. */
export const sizeClassOf = ({ sizeBytes }: Placed): number =>
  sizeBytes < 2 ** 31 ? 32 - Math.clz32(sizeBytes - 1) : Math.ceil(Math.log2(sizeBytes));

/**
 * Measures on the message's own elements, which are only read: unpacking costs about what packing does, and a
 * receiver's buffer may not be written before its message is there.
 */
export function measurePacks({ native: { mpi }, staging }: Context, placed: HostPlaced): MeasuredCost {
  const { type, buffer, originBytes } = placed;
  const count = Math.min(placed.count, Math.max(1, Math.floor(MOST_BYTES / type.sizeBytes)));
  const bytes = count * type.sizeBytes;
  const [packed, copied] = [staging.take(bytes), staging.take(bytes)];
  try {
    const from = packed.bytes.subarray(0, bytes);
    const plan = new PackPlan(mpi, {
      ...{ datatype: type.native, count, scattered: buffer.bytes, originBytes, packed: from },
    });
    const native = (): void => plan.pack();
    const ours = (): void => {
      type.committed.pack({ memory: buffer, originBytes }, from, { count }).wait();
      copied.bytes.set(from);
    };
    return costOf(...minima(native, ours));
  } catch {
    // Some MPIs refuse or spoil types that ours pack: MPICH 4.0.2 packs contiguous ones short once hundreds are alive.
    return costOf(Infinity, 0);
  } finally {
    staging.give(packed);
    staging.give(copied);
  }
}

function costOf(nativeNs: number, packedNs: number): MeasuredCost {
  const carrier = packedNs < nativeNs ? "packed" : "native";
  return { carrier, route: carrier, nativeNs, packedNs };
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
