import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { encodeArtifact, type Backend } from "@stowage/backend-api";
import * as fc from "fast-check";
import { conditionsFor, transferFor, wholeOf } from "../cases/directed.js";
import { moveOf } from "../cases/kernel-for.js";
import { Resources } from "../cases/resources.js";
import type { Side } from "../cases/side.js";
import type { Transfer } from "../cases/transfer.js";
import { anyTrial, type Trial } from "../cases/trial.js";
import { require } from "../law-violation.js";
import type { LawSettings } from "../settings.js";
import type { FreshCase, FreshProcess, FreshSide } from "./fresh-process.js";

const DEFAULT_CASES = 50;
/** The script runs built, wherever this module itself runs from: a process of its own has no loader for sources. */
const SCRIPT = fileURLToPath(new URL("../../dist/fresh/child.js", import.meta.url));
const IN_ONE_BUFFER = { asSpace: false, padBytes: 16 };

/** Packs by artifacts that another process loads, which shares nothing with this one but the bytes. */
export function checkInFreshProcess(settings: LawSettings, { module, cases = DEFAULT_CASES }: FreshProcess): void {
  using resources = new Resources();
  const backend = settings.factory();
  const prepared = trials(settings, backend, cases).map((trial) => {
    const transfer = transferFor(settings, resources, trial, "pack", wholeOf(trial), 1);
    return { trial, transfer, stored: freshCase(settings, backend, trial, transfer) };
  });
  const moved = runChild(
    module,
    prepared.map(({ stored }) => stored),
  );
  prepared.forEach(({ trial, transfer }, i) => {
    transfer.target.arena.restore([{ startBytes: 0, bytes: Buffer.from(moved[i] ?? "", "base64") }]);
    transfer.expect(wholeOf(trial));
    const problem = transfer.problem();
    require(problem === undefined, `pack in a fresh process of ${fc.stringify(trial.subject)}: ${problem}`);
  });
}

function trials(settings: LawSettings, backend: Backend, cases: number): Trial[] {
  const conditions = conditionsFor(settings, { direction: "pack", alignment: 1, count: "any" });
  const inBuffers = anyTrial({ ...settings, addressSpaces: false }).map((trial) => {
    return { ...trial, scattered: IN_ONE_BUFFER, packed: IN_ONE_BUFFER };
  });
  const sample = fc.sample(inBuffers, { seed: settings.seed, numRuns: 20 * cases });
  return sample.filter(({ subject }) => backend.supports([moveOf(subject, "pack")], conditions).ok).slice(0, cases);
}

function freshCase(settings: LawSettings, backend: Backend, trial: Trial, transfer: Transfer): FreshCase {
  const conditions = conditionsFor(settings, { direction: "pack", alignment: 1, count: "any" });
  const artifact = encodeArtifact(backend.compile([transfer.move], conditions));
  return {
    artifact: Buffer.from(artifact).toString("base64"),
    source: freshSide(transfer.source),
    target: freshSide(transfer.target),
    count: trial.count,
    length: wholeOf(trial).length,
  };
}

const freshSide = ({ arena }: Side): FreshSide => ({
  bytes: Buffer.from(arena.image()[0]?.bytes ?? []).toString("base64"),
  originBytes: arena.span.originBytes,
});

function runChild(module: string | URL, cases: readonly FreshCase[]): string[] {
  if (!existsSync(SCRIPT)) throw new Error(`fresh process: expected the built script ${SCRIPT}, got none; build first`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, String(module)], {
    input: JSON.stringify(cases),
    maxBuffer: 2 ** 30,
    encoding: "utf8",
  });
  require(status === 0, `fresh process: expected it to end with 0, got ${status}: ${stderr.trim()}`);
  return JSON.parse(stdout) as string[];
}
