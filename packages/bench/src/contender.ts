import type { Cell } from "./cell/cell.js";
import type { ResultRow } from "./results/row.js";

/** Something that moves the bytes of a cell: a backend, another library, or memcpy as the limit. */
export interface Contender {
  readonly name: string;
  readonly route: ResultRow["route"];
  /** Gets ready to move the cell's bytes; a reason where it cannot. */
  prepare(cell: Cell): Prepared | Refusal;
}

export interface Refusal {
  readonly reason: string;
}

export interface Prepared extends Disposable {
  /** Chooses and compiles afresh; absent where nothing is committed. */
  readonly commit?: () => Disposable;
  /**
   * Mode `bound`: moves all bytes of the cell between buffers that were bound once, and returns when they have moved.
   */
  run(): void;
  /**
   * Mode `call`: the same by the public call, which is given another view each time; absent where there is no such
   * call.
   */
  call?(): void;
  /** Median time between events before and after the work, where a device takes it. */
  eventNs?(): number;
  /** Throws a WrongBytesError where the bytes that were moved are not the expected ones. */
  verify(): void;
}
