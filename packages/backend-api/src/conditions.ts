import { ArgumentError, quoted } from "@stowage/ir";
import { MEMORY_KINDS, type MemoryKind } from "./memory.js";

const STORES = ["temporal", "streaming"] as const;
/**
 * How a host stores what is moved: "temporal" stores go through the caches, "streaming" ones past them (non-temporal
 * stores).
 */
export type Stores = (typeof STORES)[number];

/**
 * What is known of the data when a backend is chosen and compiles. Every field holds for all moves of a plan;
 * `conditions` fills in the defaults.
 */
export interface Conditions {
  /** The kind of memory that every source lies in. Default: "host". */
  readonly sourceKind: MemoryKind;
  /** The kind of memory that every target lies in. Default: "host". */
  readonly targetKind: MemoryKind;
  /**
   * A power of two in bytes that divides the address of each source's datatype address 0. Default: 1, which promises
   * nothing.
   */
  readonly sourceAlignment: number;
  /** A power of two in bytes that divides the address of each target's datatype address 0. Default: 1. */
  readonly targetAlignment: number;
  /** How many elements a call moves, where that is known already. Default: "any", each binding says it. */
  readonly count: number | "any";
  /**
   * The most streaming multiprocessors that a kernel may occupy, a whole number of 1 or more. Absent: all of the
   * device.
   */
  readonly smBudget?: number;
  /** How many host threads may work on one call, the caller's among them: a whole number of 1 or more. Default: 1. */
  readonly threads: number;
  /**
   * How a host should store what is moved: "temporal" keeps it in the caches, for a reader that comes soon; "streaming"
   * goes past them, and leaves them to others. A hint. Absent: as suits the size.
   */
  readonly stores?: Stores;
  /**
   * How many calls are expected, 1 or more; it may be Infinity. Code that takes longer to compile is worth that from
   * some number on. A hint; absent: nobody knows. Keys of artifacts hold it only as far as it changes code
   * (`Backend.variant`).
   */
  readonly reuse?: number;
  /** The kind of memory that the displacement tables lie in, for moves that have some. Default: "host". */
  readonly tableKind?: MemoryKind;
}

const DEFAULTS: Conditions = Object.freeze({
  sourceKind: "host",
  targetKind: "host",
  sourceAlignment: 1,
  targetAlignment: 1,
  count: "any",
  threads: 1,
});

interface Rule {
  readonly expected: string;
  readonly allows: (value: unknown) => boolean;
}

const isNatural = (value: unknown, least = 0): boolean => Number.isSafeInteger(value) && (value as number) >= least;
const KIND: Rule = { expected: MEMORY_KINDS.join(", "), allows: (value) => MEMORY_KINDS.includes(value as MemoryKind) };
const ALIGNMENT: Rule = {
  expected: "a power of two",
  allows: (value) => isNatural(value, 1) && Number.isInteger(Math.log2(value as number)),
};

/** What each field may be; undefined stands for one that is absent. */
export const CONDITION_RULES: Readonly<Record<keyof Conditions, Rule>> = Object.freeze({
  sourceKind: KIND,
  targetKind: KIND,
  sourceAlignment: ALIGNMENT,
  targetAlignment: ALIGNMENT,
  count: { expected: 'an integer from 0 on, or "any"', allows: (value) => value === "any" || isNatural(value) },
  smBudget: { expected: "a whole number of 1 or more", allows: (value) => value === undefined || isNatural(value, 1) },
  threads: { expected: "a whole number of 1 or more", allows: (value) => isNatural(value, 1) },
  stores: {
    expected: STORES.join(" or "),
    allows: (value) => value === undefined || (STORES as readonly unknown[]).includes(value),
  },
  reuse: {
    expected: "a number of 1 or more",
    allows: (value) => value === undefined || (typeof value === "number" && value >= 1),
  },
  tableKind: { expected: KIND.expected, allows: (value) => value === undefined || KIND.allows(value) },
});
const FIELDS = Object.keys(CONDITION_RULES) as readonly (keyof Conditions)[];

/** Those that were checked when they were made, and are frozen: each backend that is asked looks at them. */
const MADE = new WeakSet<Conditions>();

/**
 * Makes conditions that promise nothing but what is named: host memory on both sides, any count, one thread. A field
 * that is undefined is not named. Throws an ArgumentError for a name that is no condition's, and for a value that the
 * condition cannot have.
 *
 * @example
 * ```ts
 * const known = conditions({ sourceKind: "device", targetKind: "pinned", count: 1 });
 * ```
 */
export function conditions(known: Partial<Conditions> = {}): Conditions {
  requireObject(known);
  const named = Object.entries(known).filter(([, value]) => value !== undefined);
  const strange = named.find(([name]) => !Object.hasOwn(CONDITION_RULES, name));
  if (strange !== undefined) throw new ArgumentError("conditions", `some of ${FIELDS.join(", ")}`, quoted(strange[0]));
  const made = requireConditions(Object.freeze({ ...DEFAULTS, ...Object.fromEntries(named) }));
  MADE.add(made);
  return made;
}

/**
 * Returns the conditions. Throws an ArgumentError that names the field where plain JavaScript handed over what are no
 * conditions.
 */
export function requireConditions(value: Conditions): Conditions {
  if (MADE.has(value)) return value;
  requireObject(value);
  for (const name of FIELDS) {
    const { allows, expected } = CONDITION_RULES[name];
    if (!allows(value[name])) throw new ArgumentError(name, expected, quoted(value[name]));
  }
  return value;
}

function requireObject(value: Partial<Conditions>): void {
  if (typeof value !== "object" || (value as object | null) === null)
    throw new ArgumentError("conditions", "an object", quoted(value));
}
