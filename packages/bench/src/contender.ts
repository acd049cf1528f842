import type { Cell } from "./cell/cell.js";
import type { ResultRow } from "./results/row.js";

/** Something that moves the bytes of a cell: a backend, another library, or memcpy as the limit. */
export interface Contender {
  /** Its name in result rows. */
  readonly name: string;
  /** Where the packed bytes lie, as result rows have it. */
  readonly route: ResultRow["route"];
  /** Gets ready to move the cell's bytes; gives a refusal where it cannot. */
  prepare(cell: Cell): Prepared | Refusal;
}

/** Why a contender does not take part in a cell. */
export interface Refusal {
  /** The reason, for a person; a bench prints it. */
  readonly reason: string;
}

/** A contender that is ready to move the bytes of one cell. */
export interface Prepared extends Disposable {
  /** Chooses and compiles afresh, to be timed. Absent where nothing is committed. */
  readonly commit?: () => Disposable;
  /**
   * Moves all bytes of the cell in mode `bound`: between buffers that were bound once. Returns when they have moved.
   */
  run(): void;
  /**
   * Moves all bytes of the cell in mode `call`: by the public call, with other views of the buffers each time, as an
   * application calls it. Absent where the contender has no such call.
   */
  call?(): void;
  /**
   * The median time of the work in nanoseconds, between events of a device before and after it. Absent where no device
   * takes it.
   */
  eventNs?(): number;
  /** Throws a WrongBytesError where the bytes that were moved are not the expected ones. */
  verify(): void;
}
