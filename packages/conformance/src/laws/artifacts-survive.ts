import {
  decodeArtifact,
  encodeArtifact,
  type Artifact,
  type Backend,
  type Conditions,
  type Direction,
  type Move,
} from "@stowage/backend-api";
import * as fc from "fast-check";
import { anyCopying, copyOf, rangeOf, type Copying } from "../cases/copying.js";
import { conditionsFor, transferFor, wholeOf, type PackDirection } from "../cases/directed.js";
import { execute, moveOf, requireSupport } from "../cases/kernel-for.js";
import { Resources } from "../cases/resources.js";
import type { Transfer } from "../cases/transfer.js";
import { anyTrial, type Trial } from "../cases/trial.js";
import { checkInFreshProcess } from "../fresh/check-in-fresh-process.js";
import { require } from "../law-violation.js";
import type { Range } from "../reference/byte-map.js";
import type { LawSettings } from "../settings.js";
import { assertOn, type Law } from "./law.js";

interface Storing {
  readonly trial: Trial;
  readonly direction: PackDirection;
}

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i]);

/** Stored and read again, by a backend that did not compile it, after everything that did has been disposed of. */
function survives(settings: LawSettings, { trial, direction }: Storing, backend: Backend): void {
  const conditions = conditionsFor(settings, { direction, alignment: 1, count: "any" });
  const moves = [moveOf(trial.subject, direction)];
  requireSupport(backend, moves, conditions);
  const stored = storedAndNamed(backend, moves, conditions, trial.count);
  using resources = new Resources();
  const range = wholeOf(trial);
  requireMoved(
    settings,
    resources,
    stored,
    transferFor(settings, resources, trial, direction, range, 1),
    range,
    direction,
  );
}

/** A copy from layout to layout survives too. */
function copySurvives(settings: LawSettings, copying: Copying, backend: Backend): void {
  const conditions = conditionsFor(settings, { direction: "copy", alignment: 1, count: "any" });
  const range = rangeOf(copying);
  using resources = new Resources();
  const { move, transfer } = copyOf(settings, resources, copying, range);
  requireSupport(backend, [move], conditions);
  requireMoved(
    settings,
    resources,
    storedAndNamed(backend, [move], conditions, copying.trial.count),
    transfer,
    range,
    "copy",
  );
}

function storedAndNamed(backend: Backend, moves: readonly Move[], conditions: Conditions, count: number): Uint8Array {
  const artifact = backend.compile(moves, conditions);
  requireNamed(artifact, backend);
  const stored = encodeArtifact(artifact);
  require(sameBytes(
    encodeArtifact(backend.compile(moves, conditions)),
    stored,
  ), "artifact of the same moves: expected the same bytes when compiled again");
  requireOtherKey(backend, moves, { ...conditions, count }, artifact);
  backend.load(artifact)[Symbol.dispose]();
  return stored;
}

function requireMoved(
  settings: LawSettings,
  resources: Resources,
  stored: Uint8Array,
  transfer: Transfer,
  range: Range,
  what: Direction,
): void {
  const kernel = resources.hold(settings.factory().load(decodeArtifact(stored)));
  const plan = resources.hold(kernel.bind([transfer.binding(range)]));
  transfer.expect(range);
  execute(settings, plan);
  const problem = transfer.problem();
  require(problem === undefined, `${what} by a stored artifact: ${problem}`);
}

/** The key names moves and conditions: one that ignored them would give one's code for the other's. */
function requireOtherKey(backend: Backend, moves: readonly Move[], others: Conditions, { key }: Artifact): void {
  if (!backend.supports(moves, others).ok) return;
  const other = backend.compile(moves, others).key;
  require(other !== key, `key of an artifact for other conditions: expected another, got ${other}`);
}

function requireNamed({ backend, formatVersion, key }: Artifact, { name }: Backend): void {
  require(backend === name, `backend of an artifact: expected ${name}, got ${backend}`);
  require(Number.isSafeInteger(
    formatVersion,
  ), `format version of an artifact: expected an integer, got ${formatVersion}`);
  require(key.length > 0, "key of an artifact: expected one, got none");
}

export const ARTIFACTS_SURVIVE: Law = {
  number: 8,
  title: "an artifact survives serialisation: stored and loaded afresh, it moves the same bytes",
  check: (settings) => {
    for (const direction of ["pack", "unpack"] as const) {
      if (!settings.directions.includes(direction)) continue;
      const anyStoring = fc.record({
        trial: anyTrial(settings, { disjoint: direction === "unpack" }),
        direction: fc.constant(direction),
      });
      assertOn(settings, `8 ${direction} by artifacts`, anyStoring, (storing, backend) =>
        survives(settings, storing, backend),
      );
    }
    if (settings.directions.includes("copy")) {
      assertOn(settings, "8 copy by artifacts", anyCopying(settings), (copying, backend) =>
        copySurvives(settings, copying, backend),
      );
    }
    if (settings.freshProcess !== undefined) checkInFreshProcess(settings, settings.freshProcess);
  },
};
