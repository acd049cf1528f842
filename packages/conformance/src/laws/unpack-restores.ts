import type { Backend } from "@stowage/backend-api";
import * as fc from "fast-check";
import { conditionsFor, packedSide, scatteredSide, wholeOf } from "../cases/directed.js";
import { execute, kernelFor, moveOf, requireSupport } from "../cases/kernel-for.js";
import { Resources } from "../cases/resources.js";
import { Transfer } from "../cases/transfer.js";
import { anyAlignment, anyTrial, type Trial } from "../cases/trial.js";
import { require } from "../law-violation.js";
import { packedFrom } from "../memory/move-bytes.js";
import type { LawSettings } from "../settings.js";
import { assertOn, type Law } from "./law.js";

interface Restoring {
  readonly trial: Trial;
  readonly alignment: number;
}

/** Packs, then unpacks what was packed into other memory full of canaries. */
function restores(settings: LawSettings, { trial, alignment }: Restoring, backend: Backend): void {
  const unpacking = conditionsFor(settings, { direction: "unpack", alignment, count: "any" });
  const move = moveOf(trial.subject, "unpack");
  requireSupport(backend, [move], unpacking);
  using resources = new Resources();
  const range = wholeOf(trial);
  const [from, packed, to] = [
    scatteredSide(settings, trial, range, alignment),
    packedSide(settings, trial, range, alignment),
    scatteredSide(settings, trial, range, alignment),
  ];
  for (const { arena } of [from, packed, to]) resources.hold(arena);
  const unpack = new Transfer(packed, to, trial.pattern);
  from.arena.fill(trial.pattern);
  unpack.provide(range, packedFrom(from.arena.image(), trial.subject.map, range));
  if (settings.directions.includes("pack")) {
    const packing = conditionsFor(settings, { direction: "pack", alignment, count: "any" });
    requireSupport(backend, [moveOf(trial.subject, "pack")], packing);
    const pack = kernelFor(resources, backend, [moveOf(trial.subject, "pack")], packing);
    execute(settings, resources.hold(pack.bind([{ source: from.arena.span, target: packed.arena.span, ...range }])));
  }
  const plan = resources.hold(kernelFor(resources, backend, [move], unpacking).bind([unpack.binding(range)]));
  unpack.expect(range);
  execute(settings, plan);
  const problem = unpack.problem();
  require(problem === undefined, `unpack of what was packed: ${problem}`);
}

export const UNPACK_RESTORES: Law = {
  number: 2,
  title: "unpack after pack restores the data and leaves every other byte untouched",
  check: (settings) => {
    if (!settings.directions.includes("unpack")) return;
    const anyRestoring = fc.record({ trial: anyTrial(settings, { disjoint: true }), alignment: anyAlignment });
    assertOn(settings, anyRestoring, (restoring, backend) => restores(settings, restoring, backend));
  },
};
