import type { Cell } from "./cell/cell.js";
import type { ResultRow } from "./results/row.js";

/** Something that moves the bytes of a cell: a backend, another library, or memcpy as the limit. */
export interface Contender {
  readonly name: string;
  readonly route: ResultRow["route"];
  /** Gets ready to move the cell's bytes; a reason where it cannot. */
  prepare(cell: Cell): Prepared | Refusal;
}

/** Why a contender does not take part in a cell. */
export interface Refusal {
  readonly reason: string;
}

/** A contender that is ready to move the bytes of one cell. */
export interface Prepared extends Disposable {
  /** Chooses and compiles afresh; absent where nothing is committed. */
  readonly commit?: () => Disposable;
  /**
   * Mode `bound`: moves all bytes of the cell between buffers that were bound once, and returns when they have moved.
   */
  run(): void;
  /**
   * Moves all bytes of the cell in mode `call`: by the public call, with other views of the buffers each time, as an
   * application calls it. Absent where the contender has no such call.
   */
  call?(): void;
  /** Median time between events before and after the work, where a device takes it. */
  eventNs?(): number;
  /** Throws a WrongBytesError where the bytes that were moved are not the expected ones. */
  verify(): void;
}
