import { WORD_BYTES, YMM_BYTES } from "../../widths.js";
import type { Constant, Filling, NearRound, PackedVector } from "../plans.js";
import { shuffledLanes } from "./lanes.js";
import type { Near } from "./near-bytes.js";
import { orderedOverlay, straightOverlay } from "./overlays.js";

/** Past this gap blocks are too sparse for full vectors to win (docs/notes/2026-11-22-x64.md). */
export const MOST_GAP_BYTES = 16;
const MOST_ORDERED_LOADS = 4;
const LEAST_VECTORS = 2;
const MOST_VECTORS = 8;
/** The share of a round's vector bytes that the next vector does not store again is at least this. */
const LEAST_FILLED = 7 / 8;
/** ymm8 to ymm15 hold them. */
const MOST_CONSTANTS = 8;

/** Rounds by block and gap, which is all that they depend on: they are few, and each takes long to find. */
export class NearRounds {
  readonly #known = new Map<number, NearRound | undefined>();

  of(near: Near): NearRound | undefined {
    const key = near.blockBytes * (MOST_GAP_BYTES + 1) + near.strideBytes - near.blockBytes;
    if (!this.#known.has(key)) this.#known.set(key, bestRound(near));
    return this.#known.get(key);
  }
}

/**
 * The shortest round whose constants find registers and that vectors fill exactly, else the shortest that they nearly
 * fill.
 */
function bestRound(near: Near): NearRound | undefined {
  for (const filled of [1, LEAST_FILLED]) {
    for (let count = LEAST_VECTORS; count <= MOST_VECTORS; count++) {
      const children = Math.floor((count * YMM_BYTES) / near.blockBytes);
      if (children * near.blockBytes < filled * count * YMM_BYTES) continue;
      const round = roundOver(near, children);
      if (round !== undefined) return round;
    }
  }
  return undefined;
}

function roundOver(near: Near, children: number): NearRound | undefined {
  const sizeBytes = children * near.blockBytes;
  const vectors: PackedVector[] = [];
  const constants = new Map<string, Constant>();
  for (let start = 0; start < sizeBytes; start += YMM_BYTES) {
    // The last vector overlaps the one before it rather than reach past the blocks.
    const packedBytes = Math.min(start, sizeBytes - YMM_BYTES);
    const filling = fillingOf(near, children, packedBytes);
    if (filling === undefined) return undefined;
    vectors.push({ packedBytes, filling });
    for (const constant of filling.constants) constants.set(constant.join(), constant);
    if (constants.size > MOST_CONSTANTS) return undefined;
  }
  return { children, vectors, constants };
}

function fillingOf(near: Near, children: number, packedBytes: number): Filling | undefined {
  // Short blocks gain nothing by a load each; long ones never lie several in a lane.
  if (near.blockBytes <= WORD_BYTES)
    return (
      orderedOverlay(near, children, packedBytes, MOST_ORDERED_LOADS) ?? shuffledLanes(near, children, packedBytes)
    );
  const straight = straightOverlay(near, packedBytes);
  // Each load takes a second instruction, be it to lay it over the others or to put them all in order.
  const fewer = Math.ceil(straight.instructions / 2) - 1;
  return orderedOverlay(near, children, packedBytes, Math.min(fewer, MOST_ORDERED_LOADS)) ?? straight;
}
