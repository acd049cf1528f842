import type { Binding, Move } from "@stowage/backend-api";
import { commonAlignment } from "../encode/granularity.js";
import { NODE_BYTES } from "../encode/node-record.js";
import type { WordBytes } from "../kernel/variant.js";
import type { EncodedMove } from "../payload.js";
import { placeSide, type SidePlace } from "./side-place.js";

/** One move of a launch: its memory, and its range cut into whole words and the bytes around them. */
export interface Message {
  readonly move: number;
  readonly source: SidePlace;
  readonly target: SidePlace;
  /** Which of a side's first two records it starts from: 0 repeats elements, 1 is one element. */
  readonly root: 0 | 1;
  readonly width: WordBytes;
  readonly bodyFirst: number;
  readonly words: number;
  readonly headBytes: number;
  readonly tailBytes: number;
  /** Where its last position ends. */
  readonly endBytes: number;
}

/** Positions count from the start of the first element that the range touches, so that they stay small. */
export function messageOf(index: number, move: Move, encoded: EncodedMove, binding: Binding, maxWordBytes: number): Message {
  const { first, length } = binding;
  const { sizeBytes } = move.source;
  const skipped = Math.floor(first / sizeBytes);
  const start = first - skipped * sizeBytes;
  const endBytes = start + length;
  const root = endBytes <= sizeBytes ? 1 : 0;
  const source = ahead(placeSide(move.source, encoded.source, binding.source, binding), skipped * move.source.extentBytes);
  const target = ahead(placeSide(move.target, encoded.target, binding.target, binding), skipped * move.target.extentBytes);
  const grain = root === 1 ? "elementGranularity" : "repeatGranularity";
  const width = Math.min(
    maxWordBytes,
    encoded.source[grain],
    encoded.target[grain],
    source.alignment,
    target.alignment,
  ) as WordBytes;
  return { move: index, source, target, root, width, endBytes, ...cut(start, endBytes, width) };
}

/** The whole words of a range, and what is left before and behind; all of it, where there is no whole word. */
function cut(start: number, end: number, width: number) {
  const bodyFirst = Math.ceil(start / width) * width;
  const bodyEnd = Math.floor(end / width) * width;
  if (bodyEnd <= bodyFirst) return { bodyFirst: end, words: 0, headBytes: end - start, tailBytes: 0 };
  return { bodyFirst, words: (bodyEnd - bodyFirst) / width, headBytes: bodyFirst - start, tailBytes: end - bodyEnd };
}

function ahead(side: SidePlace, bytes: number): SidePlace {
  const baseBytes = side.baseBytes + bytes;
  const alignment = Math.min(side.alignment, commonAlignment([bytes]));
  return { ...side, baseBytes, alignment };
}


export const recordOffset = (root: 0 | 1): number => root * NODE_BYTES;
