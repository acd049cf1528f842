import { blocks, dense, integerTable, layout } from "@stowage/ir";
import * as fc from "fast-check";
import { byteMapOfLayout } from "../reference/layout-walk.js";
import type { Subject } from "./subject.js";

/** How to lay out a given number of bytes otherwise: cut into runs, in another order, with gaps. */
export interface Rearrangement {
  readonly runs: readonly { readonly share: number; readonly rank: number; readonly gapBytes: number }[];
}

export const anyRearrangement: fc.Arbitrary<Rearrangement> = fc.record({
  runs: fc.array(
    fc.record({ share: fc.nat({ max: 9 }), rank: fc.nat({ max: 99 }), gapBytes: fc.nat({ max: 9 }) }),
    { minLength: 1, maxLength: 6 },
  ),
});

/** A layout without overlap of exactly `sizeBytes` an element: the target of a copy from any layout of that size. */
export function rearranged(sizeBytes: number, { runs }: Rearrangement): Subject {
  const lengths = lengthsOf(sizeBytes, runs);
  const order = runs.map((_, i) => i).sort((a, b) => (runs[a]?.rank ?? 0) - (runs[b]?.rank ?? 0));
  const displacements = new Array<number>(runs.length).fill(0);
  let nextBytes = 0;
  for (const i of order) {
    displacements[i] = nextBytes + (runs[i]?.gapBytes ?? 0);
    nextBytes = (displacements[i] ?? 0) + (lengths[i] ?? 0);
  }
  const table = (values: readonly number[]) => integerTable(values.length, (i) => values[i] as number);
  const root = blocks(table(displacements), table(lengths), 1, dense(1));
  const made = layout(0, root, { lowerBoundBytes: 0, extentBytes: nextBytes });
  const print = (): string => `${sizeBytes} bytes in runs of [${lengths.join(", ")}] at [${displacements.join(", ")}]`;
  return { layout: made, map: byteMapOfLayout(made), [fc.toStringMethod]: print };
}

/** Shares of the bytes, the last run taking what rounding leaves. */
function lengthsOf(sizeBytes: number, runs: Rearrangement["runs"]): number[] {
  const shares = runs.reduce((sum, { share }) => sum + share, 0);
  const lengths = runs.map(({ share }) => (shares === 0 ? 0 : Math.floor((sizeBytes * share) / shares)));
  const last = lengths.length - 1;
  lengths[last] = (lengths[last] ?? 0) + sizeBytes - lengths.reduce((sum, length) => sum + length, 0);
  return lengths;
}
