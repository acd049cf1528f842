import { blocks, dense, integerTable, layout, stream } from "@stowage/ir";
import * as fc from "fast-check";
import { byteMapOfLayout } from "../reference/layout-walk.js";
import type { Subject } from "./subject.js";

/** How to lay out a given number of bytes otherwise. */
export type Rearrangement = Runs | Turned;

/** Cut into runs, in another order, with gaps. */
interface Runs {
  readonly kind: "runs";
  readonly runs: readonly { readonly share: number; readonly rank: number; readonly gapBytes: number }[];
}

/**
 * Elements of the n-th divisor of the bytes in a matrix, its columns one after another; rows apart, upwards or
 * downwards.
 */
interface Turned {
  readonly kind: "turned";
  readonly element: number;
  readonly rows: number;
  readonly gapBytes: number;
  readonly isUpward: boolean;
}

const anyRuns: fc.Arbitrary<Runs> = fc.record({
  kind: fc.constant("runs"),
  runs: fc.array(fc.record({ share: fc.nat({ max: 9 }), rank: fc.nat({ max: 99 }), gapBytes: fc.nat({ max: 9 }) }), {
    minLength: 1,
    maxLength: 6,
  }),
});

const anyTurned: fc.Arbitrary<Turned> = fc.record({
  kind: fc.constant("turned"),
  element: fc.nat({ max: 99 }),
  rows: fc.nat({ max: 99 }),
  gapBytes: fc.oneof(fc.constant(0), fc.nat({ max: 9 })),
  isUpward: fc.boolean(),
});

export const anyRearrangement: fc.Arbitrary<Rearrangement> = fc.oneof(anyRuns, anyTurned);

/** A layout without overlap of exactly `sizeBytes` an element: the target of a copy from any layout of that size. */
export function rearranged(sizeBytes: number, how: Rearrangement): Subject {
  return how.kind === "runs" || sizeBytes === 0
    ? inRuns(sizeBytes, how.kind === "runs" ? how : { kind: "runs", runs: [] })
    : turned(sizeBytes, how);
}

const divisorsOf = (n: number): readonly number[] =>
  Array.from({ length: n }, (_, i) => i + 1).filter((divisor) => n % divisor === 0);

function turned(sizeBytes: number, { element, rows: ofRows, gapBytes, isUpward }: Turned): Subject {
  const pick = (values: readonly number[], at: number): number => values[at % values.length] as number;
  // Short elements leave the most to turn.
  const bytes = pick(divisorsOf(sizeBytes).slice(0, 6), element);
  const rows = pick(divisorsOf(sizeBytes / bytes), ofRows);
  const columns = sizeBytes / bytes / rows;
  const pitch = columns * bytes + gapBytes;
  const strideBytes = isUpward ? pitch : -pitch;
  const root = stream(columns, bytes, stream(rows, strideBytes, dense(bytes)));
  const made = layout(isUpward ? 0 : (rows - 1) * pitch, root, { lowerBoundBytes: 0, extentBytes: rows * pitch });
  const print = (): string =>
    `${columns} columns of ${rows} elements of ${bytes} bytes, rows ${strideBytes} bytes apart`;
  return { layout: made, map: byteMapOfLayout(made), [fc.toStringMethod]: print };
}

function inRuns(sizeBytes: number, { runs }: Runs): Subject {
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
function lengthsOf(sizeBytes: number, runs: Runs["runs"]): number[] {
  const shares = runs.reduce((sum, { share }) => sum + share, 0);
  if (runs.length === 0) return [];
  const lengths = runs.map(({ share }) => (shares === 0 ? 0 : Math.floor((sizeBytes * share) / shares)));
  const last = lengths.length - 1;
  lengths[last] = (lengths[last] ?? 0) + sizeBytes - lengths.reduce((sum, length) => sum + length, 0);
  return lengths;
}
