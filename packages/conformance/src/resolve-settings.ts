import { UNCALIBRATED, type Backend } from "@stowage/backend-api";
import { ArgumentError, canonicalise, quoted, requireOptions } from "@stowage/ir";
import { HOST_MEMORY } from "./memory/test-memory.js";
import type { LawOptions, LawSettings, Replay } from "./settings.js";

const DEFAULT_RUNS = 2000;

/** The seed of every run in CI that names none: the same cases each time. */
const CI_SEED = 20_250_117;

/** Throws an ArgumentError for options that are none, and for numbers of cases that would never end. */
export function resolveSettings(factory: () => Backend, options: LawOptions = {}): LawSettings {
  requireOptions(options, "options of the laws", OPTIONS);
  if (typeof factory !== "function") throw new ArgumentError("factory of backends", "a function", quoted(factory));
  for (const name of ["runs", "maxSizeBytes", "maxReachBytes"] as const) requireInteger(name, options[name], 1);
  requireInteger("seed", options.seed, Number.MIN_SAFE_INTEGER);
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

const OPTIONS: readonly (keyof LawOptions)[] = [
  "scattered",
  "packed",
  "queue",
  "conditions",
  "directions",
  "addressSpaces",
  "runs",
  "seed",
  "replay",
  "maxSizeBytes",
  "maxReachBytes",
  "timeoutMs",
  "profile",
  "canonicalise",
  "freshProcess",
];

function requireInteger(name: string, value: number | undefined, least: number): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= least)) return;
  throw new ArgumentError(
    `${name} of the laws`,
    least > 0 ? `an integer of ${least} or more` : "an integer",
    quoted(value),
  );
}

/** An integer from the environment. Throws an ArgumentError where there is something else. */
function integerOf(variable: string): number | undefined {
  const text = process.env[variable];
  if (text === undefined || text === "") return undefined;
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new ArgumentError(variable, "an integer", quoted(text));
  return value;
}

/** `3 splits of pack:17:0:2` is case 17:0:2 of one part of law 3. */
function replayOf(text: string): Replay | undefined {
  if (text === "") return undefined;
  if (typeof text !== "string")
    throw new ArgumentError("replay", "a part of a law and a path, as PART:PATH", quoted(text));
  const [, part, path] = /^(\d [^:]*):(\d[\d:]*)$/.exec(text) ?? [];
  if (part !== undefined && path !== undefined) return { part, path };
  throw new ArgumentError("replay", "a part of a law and a path, as PART:PATH", quoted(text));
}

function freshSeed(): number {
  const inCi = process.env["CI"] !== undefined && process.env["CI"] !== "" && process.env["CI"] !== "false";
  return inCi ? CI_SEED : Date.now() % 2 ** 31;
}
