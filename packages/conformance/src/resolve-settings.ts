import { UNCALIBRATED, type Backend } from "@stowage/backend-api";
import { canonicalise } from "@stowage/ir";
import { HOST_MEMORY } from "./memory/test-memory.js";
import type { LawOptions, LawSettings } from "./settings.js";

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

function freshSeed(): number {
  const inCi = process.env["CI"] !== undefined && process.env["CI"] !== "" && process.env["CI"] !== "false";
  return inCi ? CI_SEED : Date.now() % 2 ** 31;
}
