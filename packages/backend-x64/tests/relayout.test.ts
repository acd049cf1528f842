import { copyMove } from "@stowage/backend-api";
import { dense, layout, stream, type Layout, type LayoutNode, type PackedRange } from "@stowage/ir";
import { describe, expect, test } from "vitest";
import { FEATURE_LEVELS, runsOn } from "../src/feature-level.js";
import { probeMachine } from "../src/memory/machine.js";
import { DEFAULT_TUNING } from "../src/options.js";
import { copyListing, copyProgram } from "../src/relayout/copy-program.js";
import { COPIES } from "./copy-cases.js";
import { PARTIAL_LINES, WHOLE_LINES } from "./line-cases.js";
import { copyDifferenceOf } from "./raw-copy.js";
import { simulatedCopyDifferenceOf } from "./simulate-copy.js";
import { thinned } from "./thinned.js";

const probed = probeMachine();
const levels = FEATURE_LEVELS.filter((level) => "machine" in probed && runsOn(level, probed.machine.level));

const ranges = (size: number, count: number): readonly (readonly [number, number])[] => {
  const total = size * count;
  return [
    [0, total],
    [1, total - 1],
    [0, total - 1],
    [Math.floor(total / 3), Math.floor(total / 3)],
    [size - 1, 2],
    [Math.floor(size / 2), size],
    [Math.floor(size / 5), Math.floor(size / 2)],
  ] as const;
};

const LOOPING = { ...DEFAULT_TUNING, unrollMoves: 0, nonTemporalBytes: 0, prefetchReachBytes: 0 };

const rangesOf = ({ sizeBytes }: Layout): readonly PackedRange[] =>
  (sizeBytes > 2 ** 16 ? [1] : [1, 7]).flatMap((count) =>
    ranges(sizeBytes, count)
      .map(([first, length]) => ({ count, first, length }))
      .filter(({ first, length }) => length > 0 && first + length <= sizeBytes * count),
  );

const numbered = COPIES.map(([name, source, target], turn) => [name, source, target, turn] as const);

describe.each(levels)("at %s", (level) => {
  test.each(numbered)("%s", (_, source, target, turn) => {
    for (const range of thinned(rangesOf(source), 5, turn)) {
      expect(copyDifferenceOf(source, target, range, level, "start", LOOPING)).toBeUndefined();
      expect(copyDifferenceOf(source, target, range, level, "end", DEFAULT_TUNING)).toBeUndefined();
    }
  });
});

describe.each(levels)("at %s", (level) => {
  const element = (root: LayoutNode): Layout => layout(0, root, { lowerBoundBytes: 0, extentBytes: root.highBytes });

  // The copy by REP MOVSB takes the registers in which loops around shorter runs count.
  test.each([396, 1020, 1024, 1500])("rows of %i bytes by REP MOVSB, the elements counted", (lengthBytes) => {
    const packed = element(dense(33 * lengthBytes));
    const rows = element(stream(33, lengthBytes + 52, dense(lengthBytes)));
    const range = { count: 2, first: 0, length: 2 * packed.sizeBytes };
    const tuning = { ...LOOPING, nonTemporalBytes: Infinity, repMovsbBytes: 40 };
    expect(copyDifferenceOf(rows, packed, range, level, "start", tuning)).toBeUndefined();
  });
});

const nestOf = (source: Layout, target: Layout, nonTemporalBytes: number): string =>
  copyListing(
    copyProgram(copyMove(source, target), "sse2", { ...DEFAULT_TUNING, nonTemporalBytes }, { listing: true }),
  ).split("; what cuts")[0] as string;

test.each(WHOLE_LINES)("%s: non-temporal stores in copies of that size", (_, source, target) => {
  expect(nestOf(source, target, 0)).toContain("movntdq");
  expect(nestOf(source, target, Infinity)).not.toContain("movntdq");
});

test.each(PARTIAL_LINES)("%s: no non-temporal stores, which would have to be aligned", (_, source, target) => {
  expect(nestOf(source, target, 0)).not.toContain("movntdq");
});

// The processor of a test machine may lack the level; the simulated one has it.
const paired = COPIES.filter(
  ([, source, target]) =>
    source.sizeBytes < 2 ** 12 &&
    copyProgram(copyMove(source, target), "avx512", DEFAULT_TUNING).plan?.elements !== undefined,
);

test.each(paired)("at avx512, on the simulated processor: %s", (_, source, target) => {
  for (const count of [1, 5]) expect(simulatedCopyDifferenceOf(source, target, count, "avx512")).toBeUndefined();
});

test.each(WHOLE_LINES)("at avx512, by non-temporal stores, on the simulated processor: %s", (_, source, target) => {
  for (const count of [1, 3])
    expect(simulatedCopyDifferenceOf(source, target, count, "avx512", LOOPING, true)).toBeUndefined();
});
