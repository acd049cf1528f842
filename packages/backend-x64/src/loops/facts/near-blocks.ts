import type { LayoutNode } from "@stowage/ir";
import { WORD_BYTES } from "../../widths.js";
import { nonTemporalWidthOf, type LoopContext } from "../loop-context.js";
import type { NearRound } from "../plans.js";
import type { Near } from "./near-bytes.js";
import { MOST_GAP_BYTES } from "./near-rounds.js";

/** Fewer blocks leave too much to what fills no round. */
const LEAST_BLOCKS = 32;
/**
 * Blocks of whole words take merged stores, except every second word of a stream in L1d: 1.14 at 1 KiB, 0.97 at 32 KiB.
 */
const MOST_GAP_OF_WORDS_BYTES = 8;
const MOST_PACKED_WORDS_BYTES = 8 * 1024;
const LONGEST_BYTES = 48;
/**
 * Packing longer blocks wins where the overlapping vectors would write so much more than the blocks; else 0.84 to 1.0.
 */
const LEAST_OVERLAP = 4 / 3;

/**
 * Rounds of children `strideBytes` apart, `most` in all; undefined where they are no near blocks, or better moved
 * otherwise.
 */
export function nearRoundOf(
  context: LoopContext,
  child: LayoutNode,
  strideBytes: number,
  most: number,
): NearRound | undefined {
  const { direction, isa, tuning, nearRounds } = context;
  // Unpacking would have to write gaps, or to mask stores, which takes AVX-512 to be fast.
  if (isa.level !== "avx2" || direction === "unpack" || !tuning.permutedBlocks) return undefined;
  if (nonTemporalWidthOf(context) !== undefined) return undefined;
  if (child.kind !== "dense" || child.lengthBytes === 0 || child.lengthBytes > LONGEST_BYTES || most < LEAST_BLOCKS)
    return undefined;
  const near = { blockBytes: child.lengthBytes, strideBytes };
  if (!isNear(near) || (isOfWords(near) && most * near.blockBytes > MOST_PACKED_WORDS_BYTES)) return undefined;
  const round = nearRounds.of(near);
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
