import { avx, rip, ymm, type Register } from "@stowage/asm-x64";
import type { LayoutNode } from "@stowage/ir";
import type { Emitter, Offsets } from "./emitter.js";
import { shuffledLanes } from "./lanes.js";
import { VECTOR_BYTES, type Constant, type Filling, type Near } from "./near-blocks.js";
import { orderedOverlay, straightOverlay } from "./overlays.js";

/** Fewer blocks leave too much to what fills no round. */
const LEAST_BLOCKS = 32;
/** Past this gap blocks are too sparse for full vectors to win (docs/x64.md). */
const MOST_GAP_BYTES = 16;
/** Blocks of whole words take merged stores (merged-stores.ts), except every second word of a stream in L1d. */
const MOST_GAP_OF_WORDS_BYTES = 8;
const MOST_PACKED_WORDS_BYTES = 8 * 1024;
/** Blocks of at most one word are moved by words otherwise, longer ones by vectors that overlap. */
const WORD_BYTES = 8;
const LONGEST_BYTES = 48;
/** Packing longer blocks wins where the overlapping vectors would write so much more than the blocks. */
const LEAST_OVERLAP = 4 / 3;

const MOST_ORDERED_LOADS = 4;
const LEAST_VECTORS = 2;
const MOST_VECTORS = 8;
/** Of the vectors' bytes in a round, those that the next vector does not store again. */
const LEAST_FILLED = 7 / 8;
/** ymm0 to ymm7 are worked in, ymm8 to ymm15 hold constants. */
const WORKING = 8;
const MOST_CONSTANTS = 8;

interface Vector {
  readonly packedBytes: number;
  readonly filling: Filling;
}

/** How a round of near blocks is packed at AVX2, by whole vectors. */
export interface NearRound {
  readonly children: number;
  readonly vectors: readonly Vector[];
  /** By their content, in the order of their registers. */
  readonly constants: ReadonlyMap<string, Constant>;
}

/** Rounds of children `strideBytes` apart, `most` in all; undefined where they are no near blocks, or better moved otherwise. */
export function nearRoundOf(e: Emitter, child: LayoutNode, strideBytes: number, most: number): NearRound | undefined {
  // Unpacking would have to write gaps, or to mask stores, which takes AVX-512 to be fast.
  if (
    e.isa.level !== "avx2" ||
    !e.tuning.permutedBlocks ||
    e.direction === "unpack" ||
    e.nonTemporalWidth !== undefined
  )
    return undefined;
  if (child.kind !== "dense" || child.lengthBytes === 0 || child.lengthBytes > LONGEST_BYTES || most < LEAST_BLOCKS)
    return undefined;
  const near = { blockBytes: child.lengthBytes, strideBytes };
  if (!isNear(near) || (isOfWords(near) && most * near.blockBytes > MOST_PACKED_WORDS_BYTES)) return undefined;
  const round = knownRound(near);
  return round === undefined || round.children > most || (near.blockBytes <= WORD_BYTES && !savesMoves(round))
    ? undefined
    : round;
}

const isOfWords = ({ blockBytes }: Near): boolean => blockBytes % WORD_BYTES === 0;

function isNear(near: Near): boolean {
  const gapBytes = near.strideBytes - near.blockBytes;
  if (gapBytes <= 0 || gapBytes > (isOfWords(near) ? MOST_GAP_OF_WORDS_BYTES : MOST_GAP_BYTES)) return false;
  return near.blockBytes <= WORD_BYTES || (!isOfWords(near) && overlapsMuch(near));
}

const overlapsMuch = ({ blockBytes }: Near): boolean =>
  2 ** Math.ceil(Math.log2(blockBytes)) >= LEAST_OVERLAP * blockBytes;

/** Whether a vector and its store take fewer instructions than a load and a store for each block would. */
function savesMoves({ vectors, children }: NearRound): boolean {
  const instructions = vectors.reduce((sum, { filling }) => sum + filling.instructions + 1, 0);
  return instructions < 2 * children;
}

/** By block and gap, all that a round depends on: they are few, and a lowering asks often. */
const known = new Map<number, NearRound | undefined>();

function knownRound(near: Near): NearRound | undefined {
  const key = near.blockBytes * (MOST_GAP_BYTES + 1) + near.strideBytes - near.blockBytes;
  if (!known.has(key)) known.set(key, bestRound(near));
  return known.get(key);
}

/** Of rounds whose constants find registers: the shortest that vectors fill exactly, else the shortest they nearly fill. */
function bestRound(near: Near): NearRound | undefined {
  for (const filled of [1, LEAST_FILLED]) {
    for (let count = LEAST_VECTORS; count <= MOST_VECTORS; count++) {
      const children = Math.floor((count * VECTOR_BYTES) / near.blockBytes);
      if (children * near.blockBytes < filled * count * VECTOR_BYTES) continue;
      const round = roundOver(near, children);
      if (round !== undefined) return round;
    }
  }
  return undefined;
}

function roundOver(near: Near, children: number): NearRound | undefined {
  const sizeBytes = children * near.blockBytes;
  const vectors: Vector[] = [];
  const constants = new Map<string, Constant>();
  for (let start = 0; start < sizeBytes; start += VECTOR_BYTES) {
    // The last vector overlaps the one before it rather than reach past the blocks.
    const packedBytes = Math.min(start, sizeBytes - VECTOR_BYTES);
    const filling = fillingOf(near, children, packedBytes);
    if (filling === undefined) return undefined;
    vectors.push({ packedBytes, filling });
    for (const constant of filling.constants) constants.set(constant.join(), constant);
    if (constants.size > MOST_CONSTANTS) return undefined;
  }
  return { children, vectors, constants };
}

function fillingOf(near: Near, children: number, packedBytes: number): Filling | undefined {
  // Of short blocks, loads of one each would save nothing; of long ones no lane has several.
  if (near.blockBytes <= WORD_BYTES)
    return (
      orderedOverlay(near, children, packedBytes, MOST_ORDERED_LOADS) ?? shuffledLanes(near, children, packedBytes)
    );
  const straight = straightOverlay(near, packedBytes);
  // Each load takes a second instruction, be it to lay it over the others or to put them all in order.
  const fewer = Math.ceil(straight.instructions / 2) - 1;
  return orderedOverlay(near, children, packedBytes, Math.min(fewer, MOST_ORDERED_LOADS)) ?? straight;
}

/** Fills the registers that no round changes; nothing else may be moved before the rounds. */
export function emitNearConstants(e: Emitter, { constants }: NearRound): void {
  [...constants.values()].forEach((constant, i) =>
    e.emit(avx.vmovdqu_ymm_load, ymm(WORKING + i), rip(e.tables.add(e.asm, constant).label)),
  );
}

/** A round of blocks, the first at `offsets`. */
export function emitNearRound(e: Emitter, { vectors, constants }: NearRound, offsets: Offsets): void {
  const keys = [...constants.keys()];
  const registerOf = (constant: Constant): Register => ymm(WORKING + keys.indexOf(constant.join()));
  vectors.forEach(({ packedBytes, filling }, i) => {
    const number = (2 * i) % WORKING;
    filling.emit(e, offsets.s, number, registerOf);
    e.emit(avx.vmovdqu_ymm_store, e.packedAt(offsets.p + packedBytes), ymm(number));
  });
}
