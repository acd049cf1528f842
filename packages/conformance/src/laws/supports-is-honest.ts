import type { Backend, Conditions, Move } from "@stowage/backend-api";
import * as fc from "fast-check";
import { anyConditions } from "../cases/any-conditions.js";
import { transferFor, wholeOf, type PackDirection } from "../cases/directed.js";
import { execute, moveOf } from "../cases/kernel-for.js";
import { Resources } from "../cases/resources.js";
import { anyTrial, type Trial } from "../cases/trial.js";
import { require } from "../law-violation.js";
import type { LawSettings } from "../settings.js";
import { assertOn, type Law } from "./law.js";

interface Asking {
  readonly trial: Trial;
  readonly direction: PackDirection;
  readonly conditions: Conditions;
}

const anyAsking = (settings: LawSettings, direction: PackDirection): fc.Arbitrary<Asking> =>
  fc.record({
    direction: fc.constant(direction),
    conditions: anyConditions(settings),
    trial: anyTrial(settings, { disjoint: direction === "unpack" }),
  });

function requireRefusal(backend: Backend, move: Move, conditions: Conditions, reason: string): void {
  require(/^\S[^\n]*$/.test(reason), `reason of a refusal: expected one line, got ${JSON.stringify(reason)}`);
  try {
    backend.compile([move], conditions);
  } catch (error) {
    const name = error instanceof Error ? error.name : String(error);
    require(name === "UnsupportedMoveError", `compile of refused moves: expected an UnsupportedMoveError, got ${name}`);
    return;
  }
  require(false, "compile of refused moves: expected an UnsupportedMoveError, got an artifact");
}

/** Kinds of memory that the laws have, in this direction. */
function isAtHand(settings: LawSettings, direction: PackDirection, { sourceKind, targetKind }: Conditions): boolean {
  const { scattered, packed } = settings;
  const [source, target] = direction === "pack" ? [scattered, packed] : [packed, scattered];
  return source.kind === sourceKind && target.kind === targetKind;
}

/** A yes means that the moves compile, load, bind and run, and that the right bytes move. */
function requireService(settings: LawSettings, { trial, direction, conditions }: Asking, backend: Backend): void {
  const move = moveOf(trial.subject, direction);
  using resources = new Resources();
  const kernel = resources.hold(backend.load(backend.compile([move], conditions)));
  require(typeof kernel.explain() === "string", "explain(): expected text");
  const count = conditions.count === "any" ? trial.count : conditions.count;
  if (count > 3 || !isAtHand(settings, direction, conditions)) return;
  const range = wholeOf({ ...trial, count });
  const alignment = Math.max(conditions.sourceAlignment, conditions.targetAlignment);
  const transfer = transferFor(settings, resources, trial, direction, range, alignment);
  const plan = resources.hold(kernel.bind([transfer.binding(range)]));
  transfer.expect(range);
  execute(settings, plan);
  const problem = transfer.problem();
  require(problem === undefined, `${direction} that was said to be supported: ${problem}`);
}

function isHonest(settings: LawSettings, asking: Asking, backend: Backend): void {
  const move = moveOf(asking.trial.subject, asking.direction);
  const support = backend.supports([move], asking.conditions);
  const again = backend.supports([move], asking.conditions);
  require(support.ok === again.ok, "supports(): expected the same answer to the same question");
  if (support.ok) requireService(settings, asking, backend);
  else requireRefusal(backend, move, asking.conditions, support.reason);
}

export const SUPPORTS_IS_HONEST: Law = {
  number: 5,
  title: "supports() that says no gives a reason; one that says yes never fails on that layout",
  check: (settings) => {
    for (const direction of ["pack", "unpack"] as const) {
      assertOn(settings, `5 answers for ${direction}`, anyAsking(settings, direction), (asking, backend) =>
        isHonest(settings, asking, backend),
      );
    }
  },
};
