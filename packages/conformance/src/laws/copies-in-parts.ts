import type { Backend } from "@stowage/backend-api";
import * as fc from "fast-check";
import { anyCopying, copyOf, type Copying } from "../cases/copying.js";
import { conditionsFor, wholeOf } from "../cases/directed.js";
import { execute, kernelFor, requireSupport } from "../cases/kernel-for.js";
import { Resources } from "../cases/resources.js";
import { require } from "../law-violation.js";
import type { LawSettings } from "../settings.js";
import { assertOn } from "./law.js";

/** A copy cut in three, its parts in any order. */
interface Parting {
  readonly copying: Copying;
  readonly cuts: readonly [number, number];
  readonly order: readonly number[];
}

const anyParting = (settings: LawSettings): fc.Arbitrary<Parting> =>
  fc.record({
    cuts: fc.tuple(fc.nat({ max: 10_000 }), fc.nat({ max: 10_000 })),
    order: fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
    copying: anyCopying(settings),
  });

function copiesInParts(settings: LawSettings, { copying, cuts, order }: Parting, backend: Backend): void {
  const conditions = conditionsFor(settings, { direction: "copy", alignment: 1, count: "any" });
  const whole = wholeOf(copying.trial);
  using resources = new Resources();
  const { move, transfer } = copyOf(settings, resources, copying, whole);
  requireSupport(backend, [move], conditions);
  const kernel = kernelFor(resources, backend, [move], conditions);
  const ends = [0, ...cuts.map((cut) => cut % (whole.length + 1)).sort((a, b) => a - b), whole.length];
  for (const part of order) {
    const [first, end] = [ends[part] as number, ends[part + 1] as number];
    const range = { count: whole.count, first, length: end - first };
    transfer.expect(range);
    execute(settings, resources.hold(kernel.bind([transfer.binding(range)])));
    const problem = transfer.problem();
    require(problem === undefined, `bytes [${first}, ${end}) of a copy from layout to layout: ${problem}`);
  }
}

/** Ranges of a copy's packed stream, in any order: each moves its own bytes and no other. */
export const checkCopiesInParts = (settings: LawSettings): void =>
  assertOn(settings, "3 splits of copy", anyParting(settings), (parting, backend) =>
    copiesInParts(settings, parting, backend),
  );
