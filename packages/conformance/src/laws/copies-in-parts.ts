import type { Backend } from "@stowage/backend-api";
import * as fc from "fast-check";
import { anyCopying, copyOf, type Copying } from "../cases/copying.js";
import { conditionsFor, wholeOf } from "../cases/directed.js";
import { kernelFor, requireSupport } from "../cases/kernel-for.js";
import { anyMode, moveRanges, type Mode } from "../cases/modes.js";
import { Resources } from "../cases/resources.js";
import type { LawSettings } from "../settings.js";
import { assertOn } from "./law.js";

/** A copy cut in three, its parts in any order. */
interface Parting {
  readonly copying: Copying;
  readonly cuts: readonly [number, number];
  readonly order: readonly number[];
  readonly mode: Mode;
}

const anyParting = (settings: LawSettings): fc.Arbitrary<Parting> =>
  fc.record({
    cuts: fc.tuple(fc.nat({ max: 10_000 }), fc.nat({ max: 10_000 })),
    order: fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
    mode: anyMode,
    copying: anyCopying(settings),
  });

function copiesInParts(settings: LawSettings, { copying, cuts, order, mode }: Parting, backend: Backend): void {
  const conditions = conditionsFor(settings, { direction: "copy", alignment: 1, count: "any" });
  const whole = wholeOf(copying.trial);
  using resources = new Resources();
  const { move, transfer } = copyOf(settings, resources, copying, whole);
  const moves = (mode === "launch" ? order : [0]).map(() => move);
  requireSupport(backend, moves, conditions);
  const kernel = kernelFor(resources, backend, moves, conditions);
  const ends = [0, ...cuts.map((cut) => cut % (whole.length + 1)).sort((a, b) => a - b), whole.length];
  const ranges = order.map((part) => {
    const [first, end] = [ends[part] as number, ends[part + 1] as number];
    return { count: whole.count, first, length: end - first };
  });
  moveRanges(mode, { settings, resources, transfer, kernel, ranges });
}

/** Ranges of a copy's packed stream, in any order: each moves its own bytes and no other. */
export const checkCopiesInParts = (settings: LawSettings): void =>
  assertOn(settings, "3 splits of copy", anyParting(settings), (parting, backend) =>
    copiesInParts(settings, parting, backend),
  );
