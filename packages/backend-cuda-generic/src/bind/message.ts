import { reachOf, type Binding, type Move } from "@stowage/backend-api";
import { commonAlignment } from "../encode/granularity.js";
import { NODE_BYTES } from "../encode/node-record.js";
import { CHUNK_BYTES, stepBytes, type Mode, type WordBytes } from "../kernel/variant.js";
import type { EncodedMove } from "../payload.js";
import { placeSide, type SidePlace } from "./side-place.js";

/** One move of a launch: its memory, and its range cut into whole words and the bytes around them. */
export interface Message {
  readonly move: number;
  readonly source: SidePlace;
  readonly target: SidePlace;
  /** Which of a side's first two records it starts from: 0 repeats elements, 1 is one element. */
  readonly root: 0 | 1;
  readonly mode: Mode;
  readonly bodyFirst: number;
  readonly words: number;
  readonly headBytes: number;
  readonly tailBytes: number;
  /** Where its last position ends. */
  readonly endBytes: number;
  /** The addresses that a gathering source may read. */
  readonly readLow: number;
  readonly readHigh: number;
}

/** Below this mean run, a chunk has too many runs: bytes go one a thread. */
const LEAST_CHUNKED_RUN_BYTES = 4;

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
  const mode = modeOf(width, encoded, source, target);
  const packed = mode === "gather" ? target : source;
  // Chunks are aligned in memory, whatever the packed stream's own address; words count from position 0.
  const phase = typeof mode === "number" ? 0 : modulo(packed.baseBytes, CHUNK_BYTES);
  const reach = reachOf(move.source, binding);
  const addressZero = source.baseBytes - skipped * move.source.extentBytes - encoded.source.startBytes;
  return {
    move: index,
    source,
    target,
    root,
    mode,
    endBytes,
    ...cut(start, endBytes, stepBytes(mode), phase),
    readLow: addressZero + reach.lowBytes,
    readHigh: addressZero + reach.highBytes,
  };
}

/** Narrow words are worth chunks where one side is packed, each side is one buffer, and runs are not all tiny. */
function modeOf(width: WordBytes, { source, target }: EncodedMove, from: SidePlace, to: SidePlace): Mode {
  if (width >= 4 || from.regions.length + to.regions.length > 0) return width;
  if (target.dense && !source.dense && source.meanRunBytes >= LEAST_CHUNKED_RUN_BYTES) return "gather";
  if (source.dense && !target.dense && target.meanRunBytes >= LEAST_CHUNKED_RUN_BYTES) return "scatter";
  return width;
}

/** The whole words of a range, and what is left before and behind; all of it, where there is no whole word. */
function cut(start: number, end: number, width: number, phase: number) {
  const bodyFirst = Math.ceil((start + phase) / width) * width - phase;
  const bodyEnd = Math.floor((end + phase) / width) * width - phase;
  if (bodyEnd <= bodyFirst) return { bodyFirst: end, words: 0, headBytes: end - start, tailBytes: 0 };
  return { bodyFirst, words: (bodyEnd - bodyFirst) / width, headBytes: bodyFirst - start, tailBytes: end - bodyEnd };
}

function ahead(side: SidePlace, bytes: number): SidePlace {
  const baseBytes = side.baseBytes + bytes;
  const alignment = Math.min(side.alignment, commonAlignment([bytes]));
  return { ...side, baseBytes, alignment };
}


const modulo = (value: number, divisor: number): number => ((value % divisor) + divisor) % divisor;

export const recordOffset = (root: 0 | 1): number => root * NODE_BYTES;
