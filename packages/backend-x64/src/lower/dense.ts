import { general, r10, r11, rcx } from "@stowage/asm-x64";
import { at, type Emitter, type Limits, type RunPlace } from "./emitter.js";
import type { Width } from "../widths.js";

/** A run of constant length. `heldMaskBytes`: of the mask that a register holds through a loop over such runs. */
export function emitDense(e: Emitter, length: number, place: RunPlace, limits: Limits, heldMaskBytes?: number): void {
  if (length === 0) return;
  const { plan } = e.plan.length(length);
  if (plan.what === "written out") return emitChunks(e, length, place, limits, heldMaskBytes);
  if (plan.what === "copied") return emitCopy(e, length, place);
  const roundBytes = plan.moves * e.widest;
  const rounds = Math.floor(length / roundBytes);
  e.repeat(rounds, at(roundBytes, roundBytes), true, () => emitChunks(e, roundBytes, place, place));
  emitRest(e, length, rounds * roundBytes, place);
}

/** A long run by the copy of a run-time length. Takes the loop counters. */
function emitCopy(e: Emitter, length: number, place: RunPlace): void {
  const [scattered, packed] = e.direction === "pack" ? [r10, r11] : [r11, r10];
  e.emit(general.lea, scattered, e.scatteredAt(place.s, place.index));
  e.emit(general.lea, packed, e.packedAt(place.p));
  e.set(rcx, length);
  e.emit(general.call_rel32, e.copyBytes());
}

function emitChunks(e: Emitter, length: number, place: RunPlace, limits: Limits, heldMaskBytes?: number): void {
  const room = { scattered: limits.s - place.s - length, packed: limits.p - place.p - length };
  for (const chunk of e.plan.chunks(length, room)) e.move(chunk, place, heldMaskBytes);
}

/** What is left after the rounds; its last move overlaps them. */
function emitRest(e: Emitter, length: number, from: number, place: RunPlace): void {
  const width: Width = e.widest;
  for (let offset = from; offset < length; offset += width)
    e.move({ offset: Math.min(offset, length - width), width }, place);
}
