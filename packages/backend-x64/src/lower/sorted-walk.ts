import { general, mem, r10, r8, r9, rcx } from "@stowage/asm-x64";
import type { Blocks } from "@stowage/ir";
import type { WalkPlan } from "../loops/plans.js";
import { emitTableAddress } from "./displacement.js";
import type { Emitter } from "./emitter.js";

/** Words of one entry: where the block lies, and where it is in the packed stream. */
const ENTRY_BYTES = 8;

/**
 * All blocks by a table of places in memory and in the packed stream, the registers standing on their places; the
 * packed one moves on.
 */
export function emitSortedWalk(
  e: Emitter,
  { sizeBytes }: Blocks,
  { words, chunks }: Extract<WalkPlan, { what: "sorted" }>,
): void {
  emitTableAddress(e, r8, e.tables.add(e.asm, words));
  e.set(rcx, words.length / 2);
  const top = e.asm.here();
  e.emit(general.movsxd_r64_m32, r9, mem(r8));
  e.emit(general.movsxd_r64_m32, r10, mem(r8, 4));
  for (const { offset, width } of chunks) e.transfer(width, mem(e.scattered, offset, r9), mem(e.packed, offset, r10));
  e.addTo(r8, ENTRY_BYTES);
  e.emit(general.dec_rm64, rcx);
  e.emit(general.jne_rel32, top);
  e.addTo(e.packed, sizeBytes);
}
