import type { Backend } from "@stowage/backend-api";
import * as fc from "fast-check";
import { conditionsFor, transferFor, wholeOf, type PackDirection } from "../cases/directed.js";
import { kernelFor, moveOf, requireSupport } from "../cases/kernel-for.js";
import { Resources } from "../cases/resources.js";
import { anyPattern, anyTrial, type Trial } from "../cases/trial.js";
import { require } from "../law-violation.js";
import type { Pattern } from "../memory/pattern.js";
import type { LawSettings } from "../settings.js";
import { assertOn, type Law } from "./law.js";

/** Data written before a run and after it, by work that nothing waits for. */
interface Ordered {
  readonly trial: Trial;
  readonly before: Pattern;
  readonly after: Pattern;
}

/**
 * A run sees what was enqueued before it, though nothing waited for that, and nothing of what is enqueued behind it.
 */
function isOrdered(settings: LawSettings, direction: PackDirection, ordered: Ordered, backend: Backend): void {
  const { trial, before, after } = ordered;
  const conditions = conditionsFor(settings, { direction, alignment: 1, count: "any" });
  const move = moveOf(trial.subject, direction);
  requireSupport(backend, [move], conditions);
  using resources = new Resources();
  const range = wholeOf(trial);
  const transfer = transferFor(settings, resources, trial, direction, range, 1);
  const plan = resources.hold(kernelFor(resources, backend, [move], conditions).bind([transfer.binding(range)]));
  transfer.enqueue(before);
  transfer.expect(range);
  const completion = plan.run();
  transfer.enqueue(after);
  completion.wait();
  const problem = transfer.problem();
  require(problem === undefined, `${direction} without a queue, between writes that were enqueued: ${problem}`);
}

export const ORDERED_WITHOUT_A_QUEUE: Law = {
  number: 9,
  title: "a run without a queue comes after what was enqueued before it, and before what is enqueued later",
  check: (settings) => {
    for (const direction of ["pack", "unpack"] as const) {
      if (!settings.directions.includes(direction)) continue;
      const trial = anyTrial(settings, { disjoint: direction === "unpack" });
      const anyOrdered = fc.record({ before: anyPattern, after: anyPattern, trial });
      assertOn(settings, `9 order of ${direction}`, anyOrdered, (ordered, backend) =>
        isOrdered(settings, direction, ordered, backend),
      );
    }
  },
};
