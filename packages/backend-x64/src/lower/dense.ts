import { general, r10, r11, rcx } from "@stowage/asm-x64";
import { chunksOf, NO_SLACK, type Slack } from "../loops/chunks.js";
import { at, type Emitter, type Limits, type Offsets } from "./emitter.js";
import type { Width } from "./isa.js";

/** A run of constant length. */
export function emitDense(e: Emitter, length: number, offsets: Offsets, limits: Limits): void {
  if (length === 0) return;
  const { plan } = e.plan.length(length);
  if (plan.what === "written out") return emitChunks(e, length, offsets, limits);
  if (plan.what === "copied") return emitCopy(e, length, offsets);
  const roundBytes = plan.moves * e.widest;
  const rounds = Math.floor(length / roundBytes);
  e.repeat(rounds, at(roundBytes, roundBytes), true, () => emitChunks(e, roundBytes, offsets, offsets));
  emitRest(e, length, rounds * roundBytes, offsets);
}

/** A long run by the copy of a run-time length. Takes the loop counters. */
function emitCopy(e: Emitter, length: number, offsets: Offsets): void {
  const [scattered, packed] = e.direction === "pack" ? [r10, r11] : [r11, r10];
  e.emit(general.lea, scattered, e.scatteredAt(offsets.s));
  e.emit(general.lea, packed, e.packedAt(offsets.p));
  e.set(rcx, length);
  e.emit(general.call_rel32, e.copyBytes());
}

/** Unpacking overwrites nothing, and non-temporal stores write each byte once. */
function slackOf(e: Emitter, length: number, offsets: Offsets, limits: Limits): Slack {
  if (e.direction === "unpack" || e.nonTemporalWidth !== undefined) return NO_SLACK;
  const overwritten = Math.max(0, limits.p - offsets.p - length);
  return { overwritten, read: Math.max(0, Math.min(overwritten, limits.s - offsets.s - length)) };
}

function emitChunks(e: Emitter, length: number, offsets: Offsets, limits: Limits): void {
  for (const chunk of chunksOf(length, e.widest, slackOf(e, length, offsets, limits), e.loadsFirst))
    e.move(chunk, offsets);
}

/** What is left after the rounds; its last move overlaps them. */
function emitRest(e: Emitter, length: number, from: number, offsets: Offsets): void {
  const width: Width = e.widest;
  for (let offset = from; offset < length; offset += width)
    e.move({ offset: Math.min(offset, length - width), width }, offsets);
}
