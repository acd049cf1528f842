import type { Backend, Conditions, Move } from "@stowage/backend-api";

/** An object that is told what calls took. */
export interface Observer {
  /** A clock; only differences are looked at. */
  nowNs(): number;
  /** A call that was over when it returned; the count is that of the conditions. */
  observe(backend: Backend, moves: readonly Move[], conditions: Conditions, ns: number): void;
}

/** One call of so many is timed. */
export const CALLS_A_SAMPLE = 64;
