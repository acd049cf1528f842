import {
  addressesOf,
  bufferOriginOf,
  scatteredLayout,
  UnsupportedMoveError,
  withinRegions,
  type AddressAt,
  type Binding,
  type Direction,
  type Move,
} from "@stowage/backend-api";
import { boxBytes, boxesIn, boxOf, repeatedBox, type Box, type Layout } from "@stowage/ir";
import { NAME } from "./payload.js";

/** One move as a launch sees it: where its two sides lie, and the part of the packed stream that moves. */
export interface Transfer {
  /** The box of rows on the scattered side; of a copy, on its source's. */
  readonly box: Box;
  /** The address of the datatype's address 0 on the scattered side. */
  readonly scatteredAddress: number;
  /** The address of byte 0 of the packed stream; the range starts `first` bytes on. */
  readonly packedAddress: number;
  /** The first byte of the range. */
  readonly first: number;
  /** The bytes of the range. */
  readonly length: number;
  /** Where a copy's bytes go; there is no packed side then. Absent: the move is no copy. */
  readonly target?: TargetBox;
}

/** The scattered target of a copy: its own box, and its own place in the packed order of that box. */
export interface TargetBox {
  readonly box: Box;
  /** Address of the datatype's address 0. */
  readonly address: number;
  readonly first: number;
}

/** A move that compiled: which way it goes, and its scattered side; of a copy, its source and its target. */
export interface StridedMove {
  readonly move: Move;
  readonly direction: Direction;
  readonly box: Box;
  readonly target?: Box;
}

/** Throws an UnsupportedMoveError where a layout is no box. */
export function requireBox(layout: Layout): Box {
  const box = boxOf(layout);
  if (box === undefined) throw new UnsupportedMoveError(NAME, "a move is not strided");
  return box;
}

/**
 * Addresses and the range of a checked binding: one transfer a region of its scattered sides; none where it moves
 * nothing.
 */
export function transfersOf(strided: StridedMove, i: number, binding: Binding): readonly Transfer[] {
  if (binding.length === 0) return [];
  return strided.target === undefined
    ? packTransfers(strided, i, binding)
    : copyTransfers(strided, strided.target, i, binding);
}

function packTransfers({ move, direction, box }: StridedMove, i: number, binding: Binding): readonly Transfer[] {
  const [scatteredSide, packedSide] =
    direction === "unpack" ? (["target", "source"] as const) : (["source", "target"] as const);
  const { first } = binding;
  const packedAddress = addressesOf(move[packedSide], packedSide, i, binding)(first).address - first;
  const parts = partsOn(scatteredLayout(move), box, scatteredSide, i, binding);
  return parts.map(({ box: part, address, first: from, length, packedBytes }) => ({
    box: part,
    scatteredAddress: address,
    packedAddress: packedAddress + packedBytes - from,
    first: from,
    length,
  }));
}

/** Both sides are cut where either has a region's end. */
function copyTransfers({ move, box }: StridedMove, into: Box, i: number, binding: Binding): readonly Transfer[] {
  const sources = partsOn(move.source, box, "source", i, binding);
  const targets = partsOn(move.target, into, "target", i, binding);
  return sources.flatMap((source) =>
    targets.flatMap((target): readonly Transfer[] => {
      const start = Math.max(source.packedBytes, target.packedBytes);
      const end = Math.min(source.packedBytes + source.length, target.packedBytes + target.length);
      if (end <= start) return [];
      const placed = { box: target.box, address: target.address, first: target.first + start - target.packedBytes };
      return [
        {
          box: source.box,
          scatteredAddress: source.address,
          packedAddress: 0,
          first: source.first + start - source.packedBytes,
          length: end - start,
          target: placed,
        },
      ];
    }),
  );
}

/** A part of one side that lies in one region. */
interface Part {
  readonly box: Box;
  /** The address of the datatype's address 0. */
  readonly address: number;
  /** Where in the box's packed order it starts. */
  readonly first: number;
  readonly length: number;
  /** Where in the whole packed stream. */
  readonly packedBytes: number;
}

function partsOn(layout: Layout, box: Box, side: "source" | "target", i: number, binding: Binding): readonly Part[] {
  const { count, first, length } = binding;
  const whole = repeatedBox(box, count, layout.extentBytes);
  const at: AddressAt = addressesOf(layout, side, i, binding);
  if (bufferOriginOf(layout, binding[side], binding) !== undefined) {
    return [{ box: whole, address: at(0).address, first, length, packedBytes: first }];
  }
  return Array.from(boxesIn(whole, first, length)).flatMap((part) =>
    Array.from(withinRegions(at, part), ({ box: held, packedBytes, originAddress }) => ({
      box: held,
      address: originAddress,
      first: 0,
      length: boxBytes(held),
      packedBytes,
    })),
  );
}
