import type { Backend } from "@stowage/backend-api";
import * as fc from "fast-check";
import { conditionsFor, transferFor, type PackDirection } from "../cases/directed.js";
import { execute, kernelFor, moveOf, requireSupport } from "../cases/kernel-for.js";
import { Resources } from "../cases/resources.js";
import { anyTrial, type Trial } from "../cases/trial.js";
import { require } from "../law-violation.js";
import type { Range } from "../reference/byte-map.js";
import type { LawSettings } from "../settings.js";
import { assertOn } from "./law.js";

/** A range that lies anywhere in the packed stream of any number of elements, and memory for it alone. */
interface Fragment {
  readonly trial: Trial;
  readonly direction: PackDirection;
  /** Elements before the range. */
  readonly skipped: number;
  readonly within: number;
  readonly length: number;
}

/** The least and the greatest elements are as likely; so are those at which 32-bit products wrap. */
const anySkipped = fc.oneof(
  fc.nat({ max: 3 }),
  fc.constantFrom(2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32 + 1),
  fc.integer({ min: 2 ** 28, max: 2 ** 36 }),
);

const anyFragment = (settings: LawSettings, direction: PackDirection): fc.Arbitrary<Fragment> =>
  fc.record({
    direction: fc.constant(direction),
    skipped: anySkipped,
    within: fc.nat({ max: 10_000 }),
    length: fc.nat({ max: 10_000 }),
    trial: anyTrial(settings, { disjoint: direction === "unpack" }),
  });

/** Where elements reach further than this, there are few: offsets must stay safe integers. */
const FARTHEST_BYTES = 2 ** 50;

function rangeOf({ trial, skipped, within, length }: Fragment): Range {
  const { sizeBytes, extentBytes } = trial.subject.map;
  if (sizeBytes === 0) return { count: trial.count, first: 0, length: 0 };
  const passed = Math.abs(extentBytes) * skipped < FARTHEST_BYTES ? skipped : 0;
  const first = passed * sizeBytes + (within % sizeBytes);
  return { count: passed + 3, first, length: length % (2 * sizeBytes) };
}

function moves(settings: LawSettings, fragment: Fragment, backend: Backend): void {
  const { trial, direction } = fragment;
  const conditions = conditionsFor(settings, { direction, alignment: 1, count: "any" });
  const move = moveOf(trial.subject, direction);
  requireSupport(backend, [move], conditions);
  const range = rangeOf(fragment);
  using resources = new Resources();
  const transfer = transferFor(settings, resources, trial, direction, range, 1);
  const plan = resources.hold(kernelFor(resources, backend, [move], conditions).bind([transfer.binding(range)]));
  transfer.expect(range);
  execute(settings, plan);
  const problem = transfer.problem();
  require(problem === undefined, `${range.length} bytes from byte ${range.first}, in memory of their own: ${problem}`);
}

/** A fragment buffer holds the range alone; the scattered side holds no more than what the range may touch. */
export function checkFragments(settings: LawSettings, direction: PackDirection): void {
  assertOn(settings, `3 fragments of ${direction}`, anyFragment(settings, direction), (fragment, backend) =>
    moves(settings, fragment, backend),
  );
}
