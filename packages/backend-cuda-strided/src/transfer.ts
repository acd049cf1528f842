import {
  addressesOf,
  directionOf,
  bufferOriginOf,
  scatteredLayout,
  withinRegions,
  type Binding,
  type Move,
} from "@stowage/backend-api";
import { boxBytes, boxesIn, repeatedBox, type Box } from "@stowage/ir";
import type { PackDirection, Transfer } from "./shape.js";

/** A move that compiled: which way it goes, and its scattered side. */
export interface StridedMove {
  readonly move: Move;
  readonly direction: PackDirection;
  readonly box: Box;
}

export const packDirection = (move: Move): PackDirection => (directionOf(move) === "unpack" ? "unpack" : "pack");

/** Addresses and the range of a checked binding: one transfer a region of its scattered side; none where it moves nothing. */
export function transfersOf({ move, direction, box }: StridedMove, i: number, binding: Binding): readonly Transfer[] {
  const { count, first, length } = binding;
  if (length === 0) return [];
  const packs = direction === "pack";
  const [scatteredSide, packedSide] = packs ? (["source", "target"] as const) : (["target", "source"] as const);
  const layout = scatteredLayout(move);
  const whole = repeatedBox(box, count, layout.extentBytes);
  const packedAddress = addressesOf(move[packedSide], packedSide, i, binding)(first).address - first;
  const at = addressesOf(layout, scatteredSide, i, binding);
  if (bufferOriginOf(layout, binding[scatteredSide], binding) !== undefined) {
    return [{ box: whole, scatteredAddress: at(0).address, packedAddress, first, length }];
  }
  const placed = Array.from(boxesIn(whole, first, length)).flatMap((part) => [...withinRegions(at, part)]);
  return placed.map(({ box, packedBytes, originAddress }) => ({
    box,
    scatteredAddress: originAddress,
    packedAddress: packedAddress + packedBytes,
    first: 0,
    length: boxBytes(box),
  }));
}
