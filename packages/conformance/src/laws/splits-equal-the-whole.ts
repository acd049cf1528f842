import type { Backend, Kernel } from "@stowage/backend-api";
import * as fc from "fast-check";
import { conditionsFor, transferFor, wholeOf, type PackDirection } from "../cases/directed.js";
import { execute, executeCall, kernelFor, moveOf, requireSupport } from "../cases/kernel-for.js";
import { Resources } from "../cases/resources.js";
import type { Transfer } from "../cases/transfer.js";
import { anyTrial, type Trial } from "../cases/trial.js";
import { require } from "../law-violation.js";
import type { Range } from "../reference/byte-map.js";
import type { LawSettings } from "../settings.js";
import { assertOn } from "./law.js";

/** How the ranges are moved: each bound anew, one plan bound again and again, a call each, or all in one launch. */
type Manner = "bind" | "rebind" | "call" | "launch";

interface Splitting {
  readonly trial: Trial;
  readonly direction: PackDirection;
  readonly cuts: readonly { readonly at: number; readonly rank: number }[];
  readonly manner: Manner;
}

const anySplitting = (settings: LawSettings, direction: PackDirection): fc.Arbitrary<Splitting> =>
  fc.record({
    direction: fc.constant(direction),
    cuts: fc.array(fc.record({ at: fc.nat({ max: 10_000 }), rank: fc.nat({ max: 99 }) }), { maxLength: 5 }),
    manner: fc.constantFrom<Manner>("bind", "rebind", "call", "launch"),
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
  const { trial, direction, manner } = splitting;
  const ranges = rangesOf(splitting);
  const conditions = conditionsFor(settings, { direction, alignment: 1, count: "any" });
  const moves = (manner === "launch" ? ranges : [trial]).map(() => moveOf(trial.subject, direction));
  requireSupport(backend, moves, conditions);
  using resources = new Resources();
  const transfer = transferFor(settings, resources, trial, direction, wholeOf(trial), 1);
  const kernel = kernelFor(resources, backend, moves, conditions);
  MANNERS[manner]({ settings, resources, transfer, kernel, ranges });
}

interface Run {
  readonly settings: LawSettings;
  readonly resources: Resources;
  readonly transfer: Transfer;
  readonly kernel: Kernel;
  readonly ranges: readonly Range[];
}

const MANNERS: Readonly<Record<Manner, (run: Run) => void>> = {
  bind: ({ settings, resources, transfer, kernel, ranges }) => {
    for (const range of ranges) {
      transfer.expect(range);
      execute(settings, resources.hold(kernel.bind([transfer.binding(range)])));
      requireRight(transfer, "bound", range);
    }
  },
  rebind: ({ settings, resources, transfer, kernel, ranges }) => {
    const nothing = { ...ranges[0], count: ranges[0]?.count ?? 0, first: 0, length: 0 };
    const plan = resources.hold(kernel.bind([transfer.binding(nothing)]));
    for (const range of ranges) {
      transfer.expect(range);
      plan.rebind(0, transfer.binding(range));
      execute(settings, plan);
      requireRight(transfer, "bound again", range);
    }
  },
  call: ({ settings, resources, transfer, kernel, ranges }) => {
    for (const range of ranges) {
      transfer.expect(range);
      executeCall(settings, resources, kernel, transfer.binding(range));
      requireRight(transfer, "called", range);
    }
  },
  launch: ({ settings, resources, transfer, kernel, ranges }) => {
    for (const range of ranges) transfer.expect(range);
    execute(settings, resources.hold(kernel.bind(ranges.map((range) => transfer.binding(range)))));
    const problem = transfer.problem();
    require(problem === undefined, `${ranges.length} ranges in one launch: ${problem}`);
  },
};

function requireRight(transfer: Transfer, manner: string, { first, length }: Range): void {
  const problem = transfer.problem();
  require(problem === undefined, `range [${first}, ${first + length}) ${manner}: ${problem}`);
}

/** Ranges of the packed stream, one after another and in any order, into one target. */
export function checkSplits(settings: LawSettings, direction: PackDirection): void {
  assertOn(settings, `3 splits of ${direction}`, anySplitting(settings, direction), (splitting, backend) =>
    splits(settings, splitting, backend),
  );
}
