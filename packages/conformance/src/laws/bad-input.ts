import { copyMove, directionOf, type Backend } from "@stowage/backend-api";
import * as fc from "fast-check";
import { ALIASED, BAD_BINDINGS, type BadBinding } from "../bad-input/bad-bindings.js";
import { MISUSES, type Misuse } from "../bad-input/misuses.js";
import { requireRefused } from "../bad-input/refusal.js";
import { Fixture } from "../bad-input/fixture.js";
import { conditionsFor, scatteredSide, transferFor, wholeOf, type PackDirection } from "../cases/directed.js";
import { execute, kernelFor, moveOf, requireSupport } from "../cases/kernel-for.js";
import { Resources } from "../cases/resources.js";
import { Transfer } from "../cases/transfer.js";
import { anyTrial, type Placing, type Trial } from "../cases/trial.js";
import type { LawSettings } from "../settings.js";
import { assertOn, type Law } from "./law.js";

/** One buffer that is exactly long enough, by the view that was drawn. */
const exact = (placing: Placing): Placing => ({ ...placing, asSpace: false, padBytes: 0 });

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
      const [scattered, packed] = [exact(trial.scattered), exact(trial.packed)];
      return { ...trial, count: Math.max(1, trial.count), scattered, packed };
    }),
    direction: fc.constantFrom(...directions),
    isCounted: fc.boolean(),
  });
}

/** A good move of at least one byte, standing ready. */
function fixtureFor(settings: LawSettings, spoiling: Spoiling, backend: Backend, resources: Resources): Fixture {
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
  const fixture = new Fixture({ kernel, transfer, range, conditions, source, target, addressSpaces });
  resources.hold({ [Symbol.dispose]: () => fixture.free() });
  return fixture;
}

/** A bad binding is refused by bind and by rebind, and the plan stays as it was. */
function refusesBinding(settings: LawSettings, { what, errors, spoil }: BadBinding, fixture: Fixture): void {
  const { kernel, transfer, range } = fixture.parts;
  const good = fixture.binding;
  const bad = spoil(good, fixture);
  fc.pre(bad !== undefined);
  requireRefused(`bind with ${what}`, errors, () => kernel.bind([bad]));
  fixture.requireAsExpected(`bind with ${what}`);
  if (kernel.call !== undefined) requireRefused(`call with ${what}`, errors, () => kernel.call?.([bad]));
  fixture.requireAsExpected(`call with ${what}`);
  using plan = kernel.bind([good]);
  requireRefused(`rebind with ${what}`, errors, () => plan.rebind(0, bad));
  fixture.requireAsExpected(`rebind with ${what}`);
  transfer.expect(range);
  execute(settings, plan);
  fixture.requireAsExpected(`run of a plan that refused ${what}`);
}

/** A datatype copied onto itself in the memory that it lies in: every byte is both read and written. */
function refusesAliased(settings: LawSettings, trial: Trial, backend: Backend): void {
  const range = wholeOf(trial);
  const { layout } = trial.subject;
  const move = copyMove(layout, layout);
  fc.pre(range.length > 0 && directionOf(move) === "copy");
  const conditions = conditionsFor(settings, { direction: "copy", alignment: 1, count: "any" });
  requireSupport(backend, [move], conditions);
  using resources = new Resources();
  const [source, target] = [scatteredSide(settings, trial, range, 1), scatteredSide(settings, trial, range, 1)];
  for (const { arena } of [source, target]) resources.hold(arena);
  const transfer = new Transfer(source, target, trial.pattern);
  const kernel = kernelFor(resources, backend, [move], conditions);
  const fixture = new Fixture({
    kernel,
    transfer,
    range,
    conditions,
    source: settings.scattered,
    target: settings.scattered,
    addressSpaces: settings.addressSpaces,
  });
  refusesBinding(settings, ALIASED, fixture);
}

export const BAD_INPUT: Law = {
  number: 6,
  title: "bad input gets a typed error that names it, and not one byte is written",
  check: (settings) => {
    const anyBadBinding = fc.tuple(anySpoiling(settings), fc.constantFrom(...BAD_BINDINGS.map(shown)));
    assertOn(settings, "6 bad bindings", anyBadBinding, ([spoiling, bad], backend) => {
      using resources = new Resources();
      refusesBinding(settings, bad, fixtureFor(settings, spoiling, backend, resources));
    });
    if (settings.directions.includes("copy")) {
      const { maxReachBytes } = settings;
      const limits = { disjoint: true, sparse: false, maxReachBytes: Math.min(maxReachBytes, 2048) };
      const anyAliased = anyTrial(settings, limits).map((trial) => ({ ...trial, count: Math.max(1, trial.count) }));
      assertOn(settings, "6 copies onto themselves", anyAliased, (trial, backend) =>
        refusesAliased(settings, trial, backend),
      );
    }
    const anyMisuse = fc.tuple(anySpoiling(settings), fc.constantFrom(...MISUSES.map(shown)));
    assertOn(settings, "6 misuses", anyMisuse, ([spoiling, misuse], backend) => {
      using resources = new Resources();
      const fixture = fixtureFor(settings, spoiling, backend, resources);
      misuse.commit({ settings, backend, fixture });
      fixture.requireAsExpected(misuse.what);
    });
  },
};

/** Counterexamples name what was wrong. */
const shown = <T extends BadBinding | Misuse>(row: T): T => ({ ...row, [fc.toStringMethod]: () => row.what });
