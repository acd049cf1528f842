import { ArgumentError, quoted } from "@stowage/ir";
import { MEMORY_KINDS, type MemoryKind } from "./memory.js";

const STORES = ["temporal", "streaming"] as const;
/** Through the caches, or past them. */
export type Stores = (typeof STORES)[number];

/** What is known of the data when a backend is chosen and compiles; every field holds for all moves of a plan. */
export interface Conditions {
  readonly sourceKind: MemoryKind;
  readonly targetKind: MemoryKind;
  /** Power of two that divides the address of each source's (target's) datatype address 0. 1 promises nothing. */
  readonly sourceAlignment: number;
  readonly targetAlignment: number;
  /** Elements a call moves, where it is known already. */
  readonly count: number | "any";
  /** Most multiprocessors that a kernel may occupy; absent: all of them. */
  readonly smBudget?: number;
  /** Host threads that may work on one call, the caller's among them: a whole number of 1 or more. */
  readonly threads: number;
  /**
   * How a host should store what is moved: "temporal" keeps it in the caches, for who reads it soon; "streaming" goes
   * past them, and leaves them to others. A hint; absent: as suits its size.
   */
  readonly stores?: Stores;
  /**
   * Calls to be expected, 1 or more, Infinity among them: what takes longer to compile is worth that from some on. A
   * hint; absent: nobody knows. Keys of artifacts hold it only as far as it changes code (`Backend.variant`).
   */
  readonly reuse?: number;
  /** Where displacement tables lie, of moves that have some. Absent: in host memory. */
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
 * Conditions that promise nothing but what is named: host memory on both sides, any count, one thread. A field that is
 * undefined is not named. Throws an ArgumentError for a name that is no condition's, and for a value that cannot be
 * one's.
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

/** Throws an ArgumentError where plain JavaScript handed over what are no conditions. */
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
