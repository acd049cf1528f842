import type { Backend, Conditions, Move } from "@stowage/backend-api";

/** An object that is told how long calls took: one of 64, those alone that moved all bytes of their elements. */
export interface Observer {
  /** Reads a clock, in nanoseconds; only differences are looked at. */
  nowNs(): number;
  /** Is told of a call that was over when it returned, and took `ns`; `conditions.count` is the call's count. */
  observe(backend: Backend, moves: readonly Move[], conditions: Conditions, ns: number): void;
}

/** One call of so many is timed. */
export const CALLS_A_SAMPLE = 64;
