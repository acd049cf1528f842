import { general, r10, r11, rcx, rdi, rsi } from "@stowage/asm-x64";
import { chunksOf } from "./chunks.js";
import { LONG_RUN_BYTES, MOST_MOVES_OF_RUN, STREAMED_RUN_BYTES } from "./cost.js";
import { at, type Emitter, type Limits, type Place } from "./emitter.js";
import type { Width } from "./isa.js";

const MOVES_PER_ROUND = 8;

/** A run of constant length. */
export function emitDense(e: Emitter, length: number, place: Place, limits: Limits): void {
  if (length === 0) return;
  const widest = e.widest;
  if (length <= MOST_MOVES_OF_RUN * widest) return emitChunks(e, length, place, limits);
  if (e.streaming?.what === "long runs" && length >= STREAMED_RUN_BYTES) return emitPastCache(e, length, place);
  if (isByStrings(e, length)) return emitRepMovs(e, length, place);
  const roundBytes = MOVES_PER_ROUND * widest;
  const rounds = Math.floor(length / roundBytes);
  e.repeat(rounds, at(roundBytes, roundBytes), true, () => emitChunks(e, roundBytes, place, place));
  emitRest(e, length, rounds * roundBytes, place);
}

/** A long run, whose whole lines are stored past the cache. Takes the loop counters. */
function emitPastCache(e: Emitter, length: number, place: Place): void {
  const [scattered, packed] = e.direction === "pack" ? [r10, r11] : [r11, r10];
  e.emit(general.lea, scattered, e.scatteredAt(place.s));
  e.emit(general.lea, packed, e.packedAt(place.p));
  e.set(rcx, length);
  e.emit(general.call_rel32, e.copyBytes());
}

/** Bytes past the end of a block that may be read and overwritten. Unpacking overwrites none. */
function slackOf(e: Emitter, length: number, place: Place, limits: Limits): number {
  if (e.direction === "unpack" || e.streamingWidth !== undefined) return 0;
  return Math.max(0, Math.min(limits.s - place.s, limits.p - place.p) - length);
}

function emitChunks(e: Emitter, length: number, place: Place, limits: Limits): void {
  for (const chunk of chunksOf(length, e.widest, slackOf(e, length, place, limits), e.masksFirst)) e.move(chunk, place);
}

/** What is left after the rounds; its last move overlaps them. */
function emitRest(e: Emitter, length: number, from: number, place: Place): void {
  const width: Width = e.widest;
  for (let offset = from; offset < length; offset += width)
    e.move({ offset: Math.min(offset, length - width), width }, place);
}

/** Long runs at rest: the string move fetches no line that it overwrites whole. */
export const isByStrings = (e: Emitter, length: number): boolean =>
  e.streamingWidth === undefined && length >= Math.max(e.tuning.repMovsBytes, LONG_RUN_BYTES);

/** rep movsb takes rsi, rdi and rcx, which are put back. */
function emitRepMovs(e: Emitter, length: number, place: Place): void {
  const [scattered, packed] = [e.scatteredAt(place.s), e.packedAt(place.p)];
  const [from, to] = e.direction === "pack" ? [scattered, packed] : [packed, scattered];
  for (const register of [rdi, rsi]) e.emit(general.push_r64, register);
  e.emit(general.lea, r10, to);
  e.emit(general.lea, rsi, from);
  e.emit(general.mov_rm64_r64, rdi, r10);
  e.set(rcx, length);
  e.emit(general.rep_movsb);
  for (const register of [rsi, rdi]) e.emit(general.pop_r64, register);
}
