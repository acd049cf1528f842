import type { Backend } from "@stowage/backend-api";
import * as fc from "fast-check";
import { BAD_BINDINGS, type BadBinding } from "../bad-input/bad-bindings.js";
import { MISUSES, type Misuse } from "../bad-input/misuses.js";
import { requireRefused } from "../bad-input/refusal.js";
import { Stand } from "../bad-input/stand.js";
import { conditionsFor, transferFor, wholeOf, type PackDirection } from "../cases/directed.js";
import { execute, kernelFor, moveOf, requireSupport } from "../cases/kernel-for.js";
import { Resources } from "../cases/resources.js";
import { anyTrial, type Trial } from "../cases/trial.js";
import type { LawSettings } from "../settings.js";
import { assertOn, type Law } from "./law.js";

const EXACT = { asSpace: false, padBytes: 0 };

interface Spoiling {
  readonly trial: Trial;
  readonly direction: PackDirection;
  readonly isCounted: boolean;
}

function anySpoiling(settings: LawSettings): fc.Arbitrary<Spoiling> {
  const { maxReachBytes } = settings;
  const limits = { disjoint: true, sparse: false, maxReachBytes: Math.min(maxReachBytes, 2048) };
  const directions = (["pack", "unpack"] as const).filter((each) => settings.directions.includes(each));
  return fc.record({
    trial: anyTrial(settings, limits).map((trial) => {
      return { ...trial, count: Math.max(1, trial.count), scattered: EXACT, packed: EXACT };
    }),
    direction: fc.constantFrom(...directions),
    isCounted: fc.boolean(),
  });
}

/** A good move of at least one byte, standing ready. */
function standFor(settings: LawSettings, spoiling: Spoiling, backend: Backend, resources: Resources): Stand {
  const { trial, direction, isCounted } = spoiling;
  const range = wholeOf(trial);
  fc.pre(range.length > 0);
  const conditions = conditionsFor(settings, { direction, alignment: 1, count: isCounted ? trial.count : "any" });
  const move = moveOf(trial.subject, direction);
  requireSupport(backend, [move], conditions);
  const transfer = transferFor(settings, resources, trial, direction, range, 1);
  const kernel = kernelFor(resources, backend, [move], conditions);
  const [source, target] =
    direction === "pack" ? [settings.scattered, settings.packed] : [settings.packed, settings.scattered];
  const { addressSpaces } = settings;
  const stand = new Stand({ kernel, transfer, range, conditions, source, target, addressSpaces });
  resources.hold({ [Symbol.dispose]: () => stand.free() });
  return stand;
}

/** A bad binding is refused by bind and by rebind, and the plan stays as it was. */
function refusesBinding(settings: LawSettings, { what, errors, spoil }: BadBinding, stand: Stand): void {
  const { kernel, transfer, range } = stand.parts;
  const good = stand.binding;
  const bad = spoil(good, stand);
  fc.pre(bad !== undefined);
  requireRefused(`bind with ${what}`, errors, () => kernel.bind([bad]));
  stand.requireAsExpected(`bind with ${what}`);
  using plan = kernel.bind([good]);
  requireRefused(`rebind with ${what}`, errors, () => plan.rebind(0, bad));
  stand.requireAsExpected(`rebind with ${what}`);
  transfer.expect(range);
  execute(settings, plan);
  stand.requireAsExpected(`run of a plan that refused ${what}`);
}

export const BAD_INPUT: Law = {
  number: 6,
  title: "bad input gets a typed error that names it, and not one byte is written",
  check: (settings) => {
    const anyBadBinding = fc.tuple(anySpoiling(settings), fc.constantFrom(...BAD_BINDINGS.map(shown)));
    assertOn(settings, anyBadBinding, ([spoiling, bad], backend) => {
      using resources = new Resources();
      refusesBinding(settings, bad, standFor(settings, spoiling, backend, resources));
    });
    const anyMisuse = fc.tuple(anySpoiling(settings), fc.constantFrom(...MISUSES.map(shown)));
    assertOn(settings, anyMisuse, ([spoiling, misuse], backend) => {
      using resources = new Resources();
      const stand = standFor(settings, spoiling, backend, resources);
      misuse.commit({ settings, backend, stand });
      stand.requireAsExpected(misuse.what);
    });
  },
};

/** Counterexamples name what was wrong. */
const shown = <T extends BadBinding | Misuse>(row: T): T => ({ ...row, [fc.toStringMethod]: () => row.what });
