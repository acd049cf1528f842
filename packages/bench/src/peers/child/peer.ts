import type { Datatype } from "@stowage/ir";
import type { CellMode } from "../../results/row.js";
import type { CellSpec, Created } from "../protocol.js";

/** A cell in this process's memory; every process has the same bytes in it. */
export interface CellMemory extends CellSpec {
  readonly datatype: Datatype;
  /** The elements: read by a pack, written by an unpack. The datatype's address 0 lies at `originBytes`. */
  readonly scattered: Uint8Array;
  readonly originBytes: number;
  /** The stream: written by a pack, read by an unpack. */
  readonly packed: Uint8Array;
  /** As long as the stream, for who needs another. */
  readonly spare: Uint8Array;
  /** What the stream holds, whatever the direction. */
  readonly content: Uint8Array;
}

/** One way to move a cell, ready to run. */
export interface Variant {
  /** The contender's name in result rows. */
  readonly name: string;
  readonly mode: CellMode;
  /** What a run writes. */
  readonly target: Uint8Array;
  /** Moves all bytes of the cell, and returns when they have moved. */
  run(): void;
}

/** A cell made ready: its variants live until it is disposed of. */
export interface OpenCell extends Disposable {
  readonly variants: readonly Variant[];
  /** Why there are no other variants. */
  readonly refusals: readonly string[];
}

/** A contender, in a process of its own. Disposing of it ends what it started. */
export interface Peer extends Disposable {
  readonly name: string;
  /** It copies the packed stream, whatever the datatype: the limit that others are beside. */
  readonly copiesStream?: boolean;
  open(cell: CellMemory): OpenCell;
  /** Makes, commits and frees a datatype, and tells what each took. */
  create(datatype: Datatype): Created["times"];
}

/** All of the packed stream of a cell, or pieces of it in order. */
export interface Fragment {
  readonly first: number;
  readonly length: number;
}

export const targetOf = (cell: CellMemory): Uint8Array => (cell.direction === "pack" ? cell.packed : cell.scattered);

/** Pieces of `fragmentBytes` each, the last one shorter. */
export function fragments(packedBytes: number, fragmentBytes: number): readonly Fragment[] {
  return Array.from({ length: Math.ceil(packedBytes / fragmentBytes) }, (_, i) => ({
    first: i * fragmentBytes,
    length: Math.min(fragmentBytes, packedBytes - i * fragmentBytes),
  }));
}

/** The fragment size of a cell that has more than one fragment. */
export function fragmentBytesOf({ packedBytes, fragmentBytes }: CellSpec): number | undefined {
  return fragmentBytes !== undefined && packedBytes > fragmentBytes ? fragmentBytes : undefined;
}

/** Contenders that moved a cell in fragments are contenders of their own in result rows: `x64@64KiB`. */
export const fragmentName = (name: string, fragmentBytes: number): string => `${name}@${fragmentBytes / 1024}KiB`;
