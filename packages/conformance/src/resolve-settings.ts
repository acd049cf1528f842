import { UNCALIBRATED, type Backend } from "@stowage/backend-api";
import { canonicalise } from "@stowage/ir";
import { HOST_MEMORY } from "./memory/test-memory.js";
import type { LawOptions, LawSettings, Replay } from "./settings.js";

const DEFAULT_RUNS = 2000;

/** The seed of every run in CI that names none: the same cases each time. */
const CI_SEED = 20_250_117;

export function resolveSettings(factory: () => Backend, options: LawOptions = {}): LawSettings {
  return {
    factory,
    scattered: options.scattered ?? HOST_MEMORY,
    packed: options.packed ?? HOST_MEMORY,
    queue: options.queue ?? (() => undefined),
    conditions: options.conditions ?? {},
    directions: options.directions ?? ["pack", "unpack", "copy"],
    addressSpaces: options.addressSpaces ?? true,
    runs: options.runs ?? integerOf("STOWAGE_LAW_RUNS") ?? DEFAULT_RUNS,
    seed: options.seed ?? integerOf("STOWAGE_SEED") ?? freshSeed(),
    replay: replayOf(options.replay ?? process.env["STOWAGE_REPLAY"] ?? ""),
    maxSizeBytes: options.maxSizeBytes ?? 1024,
    maxReachBytes: options.maxReachBytes ?? 8192,
    profile: options.profile ?? UNCALIBRATED,
    canonicalise: options.canonicalise ?? canonicalise,
    freshProcess: options.freshProcess,
  };
}

/** An integer from the environment. Throws a RangeError where there is something else. */
function integerOf(variable: string): number | undefined {
  const text = process.env[variable];
  if (text === undefined || text === "") return undefined;
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError(`${variable}: expected an integer, got ${JSON.stringify(text)}`);
  return value;
}

/** `3 splits of pack:17:0:2` is case 17:0:2 of one part of law 3. */
function replayOf(text: string): Replay | undefined {
  if (text === "") return undefined;
  const [, part, path] = /^(\d [^:]*):(\d[\d:]*)$/.exec(text) ?? [];
  if (part !== undefined && path !== undefined) return { part, path };
  throw new RangeError(`replay: expected a part of a law and a path, as PART:PATH, got ${JSON.stringify(text)}`);
}

function freshSeed(): number {
  const inCi = process.env["CI"] !== undefined && process.env["CI"] !== "" && process.env["CI"] !== "false";
  return inCi ? CI_SEED : Date.now() % 2 ** 31;
}
