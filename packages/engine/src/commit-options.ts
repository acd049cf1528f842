import { conditions, type Conditions, type MemoryKind, type Stores } from "@stowage/backend-api";
import { A_STRING, checkOptions, integerFrom, oneOf, POWER_OF_TWO, type Rule, type Rules } from "./check-options.js";

/** What a commit may take of the machine, and which backend: the same for datatypes and copies. */
export interface LimitOptions {
  /** The most multiprocessors (SM) that a kernel on a GPU may occupy, 1 or more. Default: all. */
  readonly smBudget?: number;
  /** How many host threads may work on one call, 1 to 1024. Default: 1. */
  readonly threads?: number;
  /**
   * Whether a host stores what is moved in its caches ("temporal") or by non-temporal stores ("streaming"). Default: as
   * suits its size.
   */
  readonly stores?: Stores;
  /** The backend to use, by name, instead of the engine's choice. */
  readonly backend?: string;
  /**
   * How many calls are expected, 1 or more (Infinity: the time to compile does not count). What takes long to compile
   * is then chosen at once where so many calls repay it. Default: not known; what compiles soonest begins, and calls
   * are counted.
   */
  readonly reuse?: number;
}

/** What is known of the data when a datatype is committed. Everything may be left out. */
export interface CommitOptions extends LimitOptions {
  /** Where the scattered data lies. Default: host. */
  readonly memory?: MemoryKind;
  /** Where packed streams lie. Default: host. */
  readonly packedMemory?: MemoryKind;
  /** A power of two, in bytes, that divides the address at which the datatype's address 0 lies. Default: 1. */
  readonly alignment?: number;
  /** How many elements every call moves. Default: "any", each call says how many. */
  readonly count?: number | "any";
}

export const MEMORY_KIND = oneOf("host", "pinned", "device", "managed");

export const COUNT: Rule = {
  expected: 'an integer of 0 or more, or "any"',
  allows: (value) => value === "any" || integerFrom(0).allows(value),
};

const NUMBER_FROM_1: Rule = {
  expected: "a number of 1 or more",
  allows: (value) => typeof value === "number" && value >= 1,
};

export const LIMIT_RULES: Rules<LimitOptions> = {
  smBudget: integerFrom(1),
  threads: integerFrom(1, 1024),
  stores: oneOf("temporal", "streaming"),
  backend: A_STRING,
  reuse: NUMBER_FROM_1,
};

const RULES: Rules<CommitOptions> = {
  memory: MEMORY_KIND,
  packedMemory: MEMORY_KIND,
  alignment: POWER_OF_TWO,
  count: COUNT,
  ...LIMIT_RULES,
};

export const checkCommitOptions = (options: CommitOptions): void => checkOptions("commit options", options, RULES);

/** What a commit goes by that names none. */
export const NO_OPTIONS: CommitOptions = Object.freeze({});
const KNOWING_NOTHING = conditions();

export function packConditions(options: CommitOptions): Conditions {
  if (options === NO_OPTIONS) return KNOWING_NOTHING;
  return conditions({
    sourceKind: options.memory ?? "host",
    targetKind: options.packedMemory ?? "host",
    sourceAlignment: options.alignment ?? 1,
    count: options.count ?? "any",
    ...limitsOf(options),
  });
}

export function unpackConditions(options: CommitOptions): Conditions {
  if (options === NO_OPTIONS) return KNOWING_NOTHING;
  return conditions({
    sourceKind: options.packedMemory ?? "host",
    targetKind: options.memory ?? "host",
    targetAlignment: options.alignment ?? 1,
    count: options.count ?? "any",
    ...limitsOf(options),
  });
}

export function limitsOf({ threads, smBudget, stores, reuse }: LimitOptions): Partial<Conditions> {
  return {
    threads: threads ?? 1,
    ...(smBudget === undefined ? {} : { smBudget }),
    ...(stores === undefined ? {} : { stores }),
    ...(reuse === undefined ? {} : { reuse }),
  };
}
