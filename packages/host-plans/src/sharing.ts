import type { Move } from "@stowage/backend-api";
import type { LaunchRecord } from "./launch-record.js";

/** A record, and the move whose layouts its code was written for. */
export interface Launch {
  readonly record: LaunchRecord;
  readonly move: Move;
}

/** How the plans of a kernel share their work among threads. */
export interface Sharing {
  /** Packed bytes of a call below which the caller's thread runs its records as they stand. */
  readonly aloneBelowBytes: number;
  /** Begins the sharing of one plan. */
  readonly open: () => PlanSharing;
}

/** How one plan shares its work among threads. */
export interface PlanSharing extends Disposable {
  /**
   * Prepares launches that all runs of the plan make: what runs them among threads, or undefined where they are too
   * short. `isAnew` says that they are bound in place of others, for few runs.
   */
  prepare(launches: readonly Launch[], isAnew: boolean): (() => void) | undefined;
  /** The records of launches as one thread runs them. */
  records(launches: readonly Launch[]): readonly LaunchRecord[];
}
