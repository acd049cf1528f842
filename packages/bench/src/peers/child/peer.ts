import type { Datatype } from "@stowage/ir";
import type { CellMode } from "../../results/row.js";
import type { CellSpec, Created } from "../protocol.js";

/** A cell in this process's memory; every process has the same bytes in it. */
export interface CellMemory extends CellSpec {
  /** The datatype, made anew in this process. */
  readonly datatype: Datatype;
  /** The elements: read by a pack, written by an unpack. The datatype's address 0 lies at `originBytes`. */
  readonly scattered: Uint8Array;
  /** Bytes from the start of `scattered` to the datatype's address 0. */
  readonly originBytes: number;
  /** The stream: written by a pack, read by an unpack. */
  readonly packed: Uint8Array;
  /** Memory as long as the stream, for contenders that need a second one. */
  readonly spare: Uint8Array;
  /** The packed stream's right bytes, whatever the direction. Not to be written. */
  readonly content: Uint8Array;
}

/** One way to move a cell, ready to run. */
export interface Variant {
  /** The contender's name in result rows. */
  readonly name: string;
  /** Whether a run makes the public call, or runs what was bound once. */
  readonly mode: CellMode;
  /** The memory that a run writes. */
  readonly target: Uint8Array;
  /** Moves all bytes of the cell, and returns when they have moved. */
  run(): void;
}

/** A cell made ready: its variants live until it is disposed of. */
export interface OpenCell extends Disposable {
  /** The ways in which the contender moves the cell. */
  readonly variants: readonly Variant[];
  /** Why there are no other variants, one line each. */
  readonly refusals: readonly string[];
}

/** A contender in a process of its own. Disposing of it ends what it started. */
export interface Peer extends Disposable {
  /** The contender's name in result rows. */
  readonly name: string;
  /**
   * Whether it copies the packed stream, whatever the datatype: then it is the limit that the others are compared with.
   * Default: false.
   */
  readonly copiesStream?: boolean;
  /** Gets ready to move a cell. */
  open(cell: CellMemory): OpenCell;
  /**
   * Makes, commits and frees a datatype once, and gives the nanoseconds that each took; null where it knows no
   * datatypes.
   */
  create(datatype: Datatype): Created["times"];
}

/** A piece of the packed stream, in bytes. */
export interface Fragment {
  /** Its first byte. */
  readonly first: number;
  /** Its bytes. */
  readonly length: number;
}

/** The memory that a cell's contenders write: the packed stream of a pack, the scattered elements of an unpack. */
export const targetOf = (cell: CellMemory): Uint8Array => (cell.direction === "pack" ? cell.packed : cell.scattered);

/** Cuts a packed stream into pieces of `fragmentBytes` each, the last one shorter. */
export function fragments(packedBytes: number, fragmentBytes: number): readonly Fragment[] {
  return Array.from({ length: Math.ceil(packedBytes / fragmentBytes) }, (_, i) => ({
    first: i * fragmentBytes,
    length: Math.min(fragmentBytes, packedBytes - i * fragmentBytes),
  }));
}

/** The fragment size of a cell in bytes; undefined for a cell of one fragment, and where none are asked for. */
export function fragmentBytesOf({ packedBytes, fragmentBytes }: CellSpec): number | undefined {
  return fragmentBytes !== undefined && packedBytes > fragmentBytes ? fragmentBytes : undefined;
}

/**
 * The name in result rows of a contender that moved a cell in fragments, which counts as a contender of its own:
 * `x64@64KiB`.
 */
export const fragmentName = (name: string, fragmentBytes: number): string => `${name}@${fragmentBytes / 1024}KiB`;
