import { quoted } from "@stowage/ir";
import { MpiLibraryError } from "./errors.js";

/** What MPI_Pack and MPI_Unpack work on: `count` elements of a committed datatype, and a packed stream. */
export interface Packing {
  /** The MPI_Datatype handle, as a number. */
  readonly datatype: number;
  /** How many elements, 0 to 2^31 - 1. */
  readonly count: number;
  /** The memory that holds the elements, gaps and all. */
  readonly scattered: Uint8Array;
  /** The byte of `scattered` at which the datatype's address 0 lies. */
  readonly originBytes: number;
  /** The memory that holds the packed stream. */
  readonly packed: Uint8Array;
  /** The byte of `packed` at which the stream begins. Default: 0. */
  readonly positionBytes?: number;
}

/** What plain JavaScript hands over must be memory on both sides, and places in it. */
export function requirePacking(packing: Packing): void {
  if (typeof packing !== "object" || (packing as Packing | null) === null)
    throw new MpiLibraryError(`packing: expected an object, got ${quoted(packing)}`);
  for (const side of ["scattered", "packed"] as const) {
    if (!(packing[side] instanceof Uint8Array))
      throw new MpiLibraryError(`${side} bytes of MPI_Pack: expected a Uint8Array, got ${quoted(packing[side])}`);
  }
  if (!Number.isSafeInteger(packing.originBytes))
    throw new MpiLibraryError(`origin of MPI_Pack: expected a safe integer, got ${quoted(packing.originBytes)}`);
}
