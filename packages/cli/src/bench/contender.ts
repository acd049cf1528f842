import type { ResultRow } from "../results/schema.js";
import type { Cell } from "./cell.js";

/** Something that moves the bytes of a cell: a backend of ours, a peer, or memcpy as the limit. */
export interface Contender {
  readonly name: string;
  readonly route: ResultRow["route"];
  /** Gets ready to move the cell's bytes; undefined with a reason where it cannot. */
  prepare(cell: Cell): Prepared | Refusal;
}

export interface Refusal {
  readonly reason: string;
}

export interface Prepared extends Disposable {
  /** To choose and compile, once; 0 where nothing is committed. */
  readonly commitNs: number;
  /** Moves all bytes of the cell, and returns when they have moved. */
  run(): void;
  /** Median time between events before and after the work, where a device takes it. */
  eventNs?(): number;
  /** Throws a FindingError where the bytes that were moved are not the expected ones. */
  verify(): void;
}
