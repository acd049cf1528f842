import { ArgumentError, quoted } from "@stowage/ir";
import type { MemoryKind } from "./memory.js";

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
   * How a host should store what is moved: "temporal" keeps it in the caches, for who reads it soon; "streaming" goes past
   * them, and leaves them to others. A hint; absent: as suits its size.
   */
  readonly stores?: Stores;
}

const DEFAULTS: Conditions = Object.freeze({
  sourceKind: "host",
  targetKind: "host",
  sourceAlignment: 1,
  targetAlignment: 1,
  count: "any",
  threads: 1,
});

/**
 * Conditions that promise nothing but what is named: host memory on both sides, any count, one thread. Throws an ArgumentError
 * where the conditions are no object, the threads are no whole number of 1 or more, or the stores none that there are.
 */
export function conditions(known: Partial<Conditions> = {}): Conditions {
  if (typeof known !== "object" || known === null) throw new ArgumentError("conditions", "an object", quoted(known));
  const { threads = 1, stores } = known;
  if (!Number.isSafeInteger(threads) || threads < 1)
    throw new ArgumentError("threads", "a whole number of 1 or more", quoted(threads));
  if (!isStores(stores)) throw new ArgumentError("stores", STORES.join(" or "), quoted(stores));
  return Object.freeze({ ...DEFAULTS, ...known });
}

export const isStores = (value: unknown): value is Stores | undefined =>
  value === undefined || (STORES as readonly unknown[]).includes(value);
