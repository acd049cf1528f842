import type { Backend } from "@stowage/backend-api";
import * as fc from "fast-check";
import { conditionsFor, transferFor, wholeOf, type PackDirection } from "../cases/directed.js";
import { kernelFor, moveOf, requireSupport } from "../cases/kernel-for.js";
import { anyMode, moveRanges, type Mode } from "../cases/modes.js";
import { Resources } from "../cases/resources.js";
import { anyTrial, type Trial } from "../cases/trial.js";
import type { Range } from "../reference/byte-map.js";
import type { LawSettings } from "../settings.js";
import { assertOn } from "./law.js";

interface Splitting {
  readonly trial: Trial;
  readonly direction: PackDirection;
  readonly cuts: readonly { readonly at: number; readonly rank: number }[];
  readonly mode: Mode;
}

const anySplitting = (settings: LawSettings, direction: PackDirection): fc.Arbitrary<Splitting> =>
  fc.record({
    direction: fc.constant(direction),
    cuts: fc.array(fc.record({ at: fc.nat({ max: 10_000 }), rank: fc.nat({ max: 99 }) }), { maxLength: 5 }),
    mode: anyMode,
    trial: anyTrial(settings, { disjoint: direction === "unpack" }),
  });

/** The ranges between the cuts, in the order of their ranks. */
function rangesOf({ trial, cuts }: Splitting): readonly Range[] {
  const { count, length } = wholeOf(trial);
  const ends = [...cuts.map(({ at, rank }) => ({ end: at % (length + 1), rank })), { end: length, rank: 50 }];
  ends.sort((a, b) => a.end - b.end);
  const ranked = ends.map(({ end, rank }, i) => {
    const first = ends[i - 1]?.end ?? 0;
    return { rank, range: { count, first, length: end - first } };
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ range }) => range);
}

function splits(settings: LawSettings, splitting: Splitting, backend: Backend): void {
  const { trial, direction, mode } = splitting;
  const ranges = rangesOf(splitting);
  const conditions = conditionsFor(settings, { direction, alignment: 1, count: "any" });
  const moves = (mode === "launch" ? ranges : [trial]).map(() => moveOf(trial.subject, direction));
  requireSupport(backend, moves, conditions);
  using resources = new Resources();
  const transfer = transferFor(settings, resources, trial, direction, wholeOf(trial), 1);
  const kernel = kernelFor(resources, backend, moves, conditions);
  moveRanges(mode, { settings, resources, transfer, kernel, ranges });
}

/** Ranges of the packed stream, one after another and in any order, into one target. */
export function checkSplits(settings: LawSettings, direction: PackDirection): void {
  assertOn(settings, `3 splits of ${direction}`, anySplitting(settings, direction), (splitting, backend) =>
    splits(settings, splitting, backend),
  );
}
