import { reachOf, type Binding, type Move, type Reduction } from "@stowage/backend-api";
import { commonAlignment } from "@stowage/ir";
import type { EncodedLayout } from "../encode/encode-layout.js";
import { WIDEST_WORD_BYTES } from "../encode/widest-word.js";
import { cellBytes, widestAccess } from "../kernel/combine-cell.js";
import { CHUNK_BYTES, stepBytes, type Mode, type WordBytes } from "../kernel/variant.js";
import type { EncodedMove, EncodedSides } from "../payload.js";
import type { Tuning } from "../options.js";
import { placeSide, type SidePlace } from "./side-place.js";

/** One move of a launch, or a part of one: its memory, and its range cut into whole words and the bytes around them. */
export interface Transfer {
  readonly encoded: EncodedSides;
  readonly source: AlignedPlace;
  readonly target: AlignedPlace;
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
  /** The length of a run where runs are equal and moved whole; else 0. */
  readonly runBytes: number;
}

interface AlignedPlace extends SidePlace {
  /** The largest power of two up to 16 that divides every address that a whole offset gives. */
  readonly alignment: number;
}

/** Below this mean run, a chunk has too many runs: bytes go one a thread. */
const LEAST_CHUNKED_RUN_BYTES = 4;

/** What all transfers of one binding share. */
interface Ground {
  readonly source: SidePlace;
  readonly target: SidePlace;
  readonly readLow: number;
  readonly readHigh: number;
  readonly maxWordBytes: number;
  readonly chunks: boolean;
  readonly reduction: Reduction | undefined;
}

/**
 * The transfers of one binding: one, or one a part. Positions count from the start of the first element that the
 * range touches, or of the part, so that they stay small.
 */
export function transfersOf(
  move: Move,
  encoded: EncodedMove,
  binding: Binding,
  tuning: Pick<Tuning, "maxWordBytes" | "chunks">,
  alone: boolean,
): readonly Transfer[] {
  const { first, length } = binding;
  const { sizeBytes } = move.source;
  const skipped = Math.floor(first / sizeBytes);
  const start = first - skipped * sizeBytes;
  const end = start + length;
  const ground = {
    source: placeSide(move.source, skipped * move.source.extentBytes, binding.source, binding),
    target: placeSide(move.target, skipped * move.target.extentBytes, binding.target, binding),
    chunks: tuning.chunks,
    maxWordBytes: Math.min(tuning.maxWordBytes, alone ? narrowed(encoded.source, end - start) : WIDEST_WORD_BYTES),
    reduction: move.reduction,
    ...readable(move, binding),
  };
  const within = end <= sizeBytes;
  if (!within || encoded.parts.length === 0) return [transferOf(ground, encoded, start, end, within ? 1 : 0)];
  return encoded.parts.flatMap((part) => {
    const from = Math.max(0, start - part.packedBytes);
    const to = Math.min(part.sizeBytes, end - part.packedBytes);
    return from < to ? [transferOf(ground, part, from, to, 1)] : [];
  });
}

const SHORT_RUN_BYTES = 64;
const LARGE_BYTES = 16 * 2 ** 20;

/**
 * Short runs far apart, packed by the million, are bound by how much of the source the threads of a moment reach
 * into: words of half a run, 8 bytes at most, halve that (an H200 packs 64 MiB of 32-byte blocks in 62 us so, in 72
 * by 16-byte words).
 */
function narrowed({ strided, dense, runBytes }: EncodedLayout, lengthBytes: number): number {
  if (!strided || dense || runBytes >= SHORT_RUN_BYTES || lengthBytes < LARGE_BYTES) return WIDEST_WORD_BYTES;
  const half = commonAlignment([runBytes], WIDEST_WORD_BYTES) / 2;
  return Math.min(8, Math.max(4, half));
}

/** What may be read of the source, as addresses: all that the range reaches. */
function readable(move: Move, binding: Binding) {
  const { baseBytes } = placeSide(move.source, 0, binding.source, binding);
  const { lowBytes, highBytes } = reachOf(move.source, binding);
  return { readLow: baseBytes + lowBytes, readHigh: baseBytes + highBytes };
}

function transferOf(ground: Ground, encoded: EncodedSides, start: number, end: number, root: 0 | 1): Transfer {
  const source = ahead(ground.source, encoded.source.startBytes);
  const target = ahead(ground.target, encoded.target.startBytes);
  const grain = root === 1 ? "elementGranularity" : "repeatGranularity";
  const width = Math.min(
    ground.maxWordBytes,
    encoded.source[grain],
    encoded.target[grain],
    source.alignment,
    target.alignment,
  ) as WordBytes;
  if (ground.reduction !== undefined)
    return combined(ground, ground.reduction, { encoded, source, target, root, width, start, end });
  const whole = wholeRuns(encoded, start, end);
  const natural = ground.chunks ? modeOf(width, encoded, source, target) : width;
  const mode = natural === "scatter" && whole.runBytes > 0 ? "scatterRuns" : natural;
  if (mode === "scatterRuns")
    return { ...whole, encoded, source, target, root, mode, endBytes: end, ...readableOf(ground) };
  const packed = mode === "gather" ? target : source;
  // Chunks are aligned in memory, whatever the packed stream's own address; words count from position 0.
  const phase = typeof mode === "number" ? 0 : modulo(packed.baseBytes, CHUNK_BYTES);
  const pieces = cut(start, end, stepBytes(mode), phase);
  return { encoded, source, target, root, mode, endBytes: end, runBytes: 0, ...pieces, ...readableOf(ground) };
}

type Aligned = Pick<Transfer, "encoded" | "source" | "target" | "root">;

/** Steps of whole elements, by accesses as wide as both sides allow. */
function combined(
  ground: Ground,
  reduction: Reduction,
  { start, end, width, ...sides }: Aligned & { readonly start: number; readonly end: number; readonly width: number },
): Transfer {
  const mode = Math.min(width, widestAccess(reduction)) as WordBytes;
  const pieces = cut(start, end, cellBytes(reduction, mode), 0);
  return { ...sides, mode, endBytes: end, runBytes: 0, ...pieces, ...readableOf(ground) };
}

const readableOf = ({ readLow, readHigh }: Ground) => ({ readLow, readHigh });

/**
 * A range of whole equal runs, in pieces of up to 16 bytes; runBytes is 0 where it is none, or too long for indices.
 */
function wholeRuns({ target }: EncodedSides, start: number, end: number) {
  const { runBytes } = target;
  const words = runBytes === 0 ? 0 : ((end - start) / runBytes) * piecesOf(runBytes);
  const fits = runBytes > 0 && runBytes < NARROW && start % runBytes === 0 && end % runBytes === 0 && words < NARROW;
  return { bodyFirst: start, words, headBytes: 0, tailBytes: 0, runBytes: fits ? runBytes : 0 };
}

const NARROW = 2 ** 31;
export const piecesOf = (runBytes: number): number => Math.ceil(runBytes / CHUNK_BYTES);

/** Narrow words are worth chunks where one side is packed, each side is one buffer, and runs are not all tiny. */
function modeOf(width: WordBytes, { source, target }: EncodedSides, from: SidePlace, to: SidePlace): Mode {
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

/** A side at its layout's start. */
function ahead(side: SidePlace, bytes: number): AlignedPlace {
  const baseBytes = side.baseBytes + bytes;
  const shifts = side.regions.map(({ deltaBytes }) => deltaBytes);
  return { ...side, baseBytes, alignment: commonAlignment([baseBytes, ...shifts], WIDEST_WORD_BYTES) };
}

const modulo = (value: number, divisor: number): number => ((value % divisor) + divisor) % divisor;
