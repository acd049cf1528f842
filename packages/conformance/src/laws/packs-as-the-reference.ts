import type { Backend } from "@stowage/backend-api";
import * as fc from "fast-check";
import { anyCopying, copyOf, rangeOf, type Copying } from "../cases/copying.js";
import { conditionsFor, transferFor, wholeOf, type Known } from "../cases/directed.js";
import { execute, kernelFor, moveOf, requireSupport } from "../cases/kernel-for.js";
import { Resources } from "../cases/resources.js";
import { anyAlignment, anyTrial, type Trial } from "../cases/trial.js";
import { require } from "../law-violation.js";
import type { LawSettings } from "../settings.js";
import { assertOn, type Law } from "./law.js";

interface Batch {
  readonly trials: readonly Trial[];
  readonly alignment: number;
  /** Whether the count is known when compiling; then it is that of the first trial, for all. */
  readonly isCounted: boolean;
}

const anyBatch = (settings: LawSettings): fc.Arbitrary<Batch> =>
  fc
    .record({
      trials: fc.array(anyTrial(settings), { minLength: 1, maxLength: 3 }),
      alignment: anyAlignment,
      isCounted: fc.boolean(),
    })
    .map((batch) => (batch.isCounted ? { ...batch, trials: evened(batch.trials) } : batch));

const evened = (trials: readonly Trial[]): readonly Trial[] =>
  trials.map((trial) => ({ ...trial, count: trials[0]?.count ?? 0 }));

/** Packs all trials in one launch, twice, with other data the second time. */
function packs(settings: LawSettings, { trials, alignment, isCounted }: Batch, backend: Backend): void {
  const known: Known = { direction: "pack", alignment, count: isCounted ? (trials[0]?.count ?? 0) : "any" };
  const conditions = conditionsFor(settings, known);
  const moves = trials.map(({ subject }) => moveOf(subject, "pack"));
  requireSupport(backend, moves, conditions);
  using resources = new Resources();
  const jobs = trials.map((trial) => {
    const range = wholeOf(trial);
    return { range, transfer: transferFor(settings, resources, trial, "pack", range, alignment) };
  });
  const kernel = kernelFor(resources, backend, moves, conditions);
  const plan = resources.hold(kernel.bind(jobs.map(({ transfer, range }) => transfer.binding(range))));
  for (const round of ["first", "second"]) {
    jobs.forEach(({ transfer, range }) => transfer.expect(range));
    execute(settings, plan);
    jobs.forEach(({ transfer }, i) => {
      const problem = transfer.problem();
      require(problem === undefined, `${round} run of the plan, move ${i}: ${problem}`);
      transfer.refill({ seed: i, nans: false });
    });
  }
}

/** Copies from one layout to another: as the reference's pack, then its unpack. */
function copies(settings: LawSettings, copying: Copying, backend: Backend): void {
  const conditions = conditionsFor(settings, { direction: "copy", alignment: 1, count: "any" });
  const range = rangeOf(copying);
  using resources = new Resources();
  const { move, transfer } = copyOf(settings, resources, copying, range);
  requireSupport(backend, [move], conditions);
  const plan = resources.hold(kernelFor(resources, backend, [move], conditions).bind([transfer.binding(range)]));
  transfer.expect(range);
  execute(settings, plan);
  const problem = transfer.problem();
  require(problem === undefined, `copy from layout to layout: ${problem}`);
}

export const PACKS_AS_THE_REFERENCE: Law = {
  number: 1,
  title: "packs exactly the reference's bytes",
  check: (settings) => {
    if (settings.directions.includes("pack")) {
      assertOn(settings, "1 packs", anyBatch(settings), (batch, backend) => packs(settings, batch, backend));
    }
    if (settings.directions.includes("copy")) {
      assertOn(settings, "1 copies", anyCopying(settings), (copying, backend) => copies(settings, copying, backend));
    }
  },
};
