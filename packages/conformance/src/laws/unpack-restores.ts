import type { Backend } from "@stowage/backend-api";
import * as fc from "fast-check";
import { conditionsFor, transferFor, wholeOf } from "../cases/directed.js";
import { execute, kernelFor, moveOf, requireSupport } from "../cases/kernel-for.js";
import { Resources } from "../cases/resources.js";
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
  const conditions = conditionsFor(settings, { direction: "unpack", alignment, count: "any" });
  const move = moveOf(trial.subject, "unpack");
  requireSupport(backend, [move], conditions);
  using resources = new Resources();
  const range = wholeOf(trial);
  const transfer = transferFor(settings, resources, trial, "unpack", range, alignment);
  transfer.provide(range, packed(settings, resources, { trial, alignment }, backend));
  const plan = resources.hold(kernelFor(resources, backend, [move], conditions).bind([transfer.binding(range)]));
  transfer.expect(range);
  execute(settings, plan);
  const problem = transfer.problem();
  require(problem === undefined, `unpack of what was packed: ${problem}`);
}

/** Packed bytes, by the backend itself where it packs, else by the reference. */
function packed(settings: LawSettings, resources: Resources, restoring: Restoring, backend: Backend): Uint8Array {
  const { trial, alignment } = restoring;
  const range = wholeOf(trial);
  const transfer = transferFor(settings, resources, trial, "pack", range, alignment);
  transfer.expect(range);
  const conditions = conditionsFor(settings, { direction: "pack", alignment, count: "any" });
  const moves = [moveOf(trial.subject, "pack")];
  if (!backend.supports(moves, conditions).ok) return transfer.expectedPacked(range);
  execute(settings, resources.hold(kernelFor(resources, backend, moves, conditions).bind([transfer.binding(range)])));
  const problem = transfer.problem();
  require(problem === undefined, `pack: ${problem}`);
  return packedFrom(transfer.target.arena.image(), transfer.target.subject.map, range);
}

export const UNPACK_RESTORES: Law = {
  number: 2,
  title: "unpack after pack restores the data and leaves every other byte untouched",
  check: (settings) => {
    if (!settings.directions.includes("unpack")) return;
    const anyRestoring = fc.record({ alignment: anyAlignment, trial: anyTrial(settings, { disjoint: true }) });
    assertOn(settings, "2 restores", anyRestoring, (restoring, backend) => restores(settings, restoring, backend));
  },
};
