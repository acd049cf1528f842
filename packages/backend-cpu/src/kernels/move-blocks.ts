import { isAligned, type Cursor } from "../machine/cursor.js";
import { moveBytes } from "./move-bytes.js";
import { moveWords4 } from "./move-words4.js";
import { moveWords8 } from "./move-words8.js";

/** Blocks from here on are worth a loop each for head, middle and tail, where the middle alone is aligned. */
const SPLIT_BYTES = 40;

/**
 * Moves `count` blocks of `blockBytes` from cursor to cursor, at most one of which is irregular, by the widest words
 * that both allow. Where both stand equally far from an 8-byte boundary, the blocks' ends move as columns of their own.
 */
export function moveBlocks(source: Cursor, target: Cursor, count: number, blockBytes: number): void {
  if (Number.isInteger(blockBytes / 8) && isAligned(source, 8, 0) && isAligned(target, 8, 0)) {
    return moveWords8(source, target, count, blockBytes / 8);
  }
  const skew = source.at - Math.floor(source.at / 8) * 8;
  if (blockBytes >= SPLIT_BYTES && isAligned(source, 8, skew) && isAligned(target, 8, skew)) {
    return moveColumns(source, target, count, blockBytes, skew === 0 ? 0 : 8 - skew);
  }
  if (Number.isInteger(blockBytes / 4) && isAligned(source, 4, 0) && isAligned(target, 4, 0)) {
    return moveWords4(source, target, count, blockBytes / 4);
  }
  moveBytes(source, target, count, blockBytes);
}

function moveColumns(source: Cursor, target: Cursor, count: number, blockBytes: number, headBytes: number): void {
  const middleBytes = Math.floor((blockBytes - headBytes) / 8) * 8;
  const tailBytes = blockBytes - headBytes - middleBytes;
  if (headBytes > 0) moveBlocks(source, target, count, headBytes);
  shift(source, target, headBytes);
  moveBlocks(source, target, count, middleBytes);
  shift(source, target, middleBytes);
  if (tailBytes > 0) moveBlocks(source, target, count, tailBytes);
}

function shift(source: Cursor, target: Cursor, bytes: number): void {
  source.at += bytes;
  target.at += bytes;
}
