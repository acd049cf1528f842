import { general, mem, r10, r11, r9, rcx, type Register } from "@stowage/asm-x64";
import type { LengthClasses } from "../loops/plans.js";
import type { Width } from "../widths.js";
import type { Emitter } from "./emitter.js";

/**
 * The run of rcx bytes at r9 on the scattered side, where the packed register stands on the other, and `then` what
 * follows each. Clobbers what copyBytes does, and keeps both places.
 */
export function emitByLength(e: Emitter, { spread, least, longFromBytes }: LengthClasses, then: () => void): void {
  if (longFromBytes !== undefined) emitLong(e, longFromBytes, least.length === 0, then);
  for (const [i, bytes] of least.entries()) {
    const shorter = e.asm.label();
    // rcx = what the run is longer than the least of this class, below zero if it belongs to a later one.
    if (i === 0) e.emit(general.sub_rm64_imm32, rcx, bytes);
    else e.emit(general.add_rm64_imm32, rcx, (least[i - 1] as number) - bytes);
    if (i + 1 < least.length) e.emit(general.jl_rel32, shorter);
    if (spread === 2) emitHeadAndTail(e, bytes);
    else emitClamped(e, bytes as Width);
    then();
    e.asm.bind(shorter);
  }
}

/** Runs longer than any class; `all` are. */
function emitLong(e: Emitter, fromBytes: number, all: boolean, then: () => void): void {
  const short = e.asm.label();
  if (!all) {
    e.emit(general.cmp_rm64_imm32, rcx, fromBytes);
    e.emit(general.jbe_rel32, short);
  }
  const [from, to] = e.direction === "pack" ? [r9, e.packed] : [e.packed, r9];
  e.emit(general.mov_rm64_r64, r10, from);
  e.emit(general.mov_rm64_r64, r11, to);
  e.emit(general.call_rel32, e.copyBytes());
  then();
  e.asm.bind(short);
}

function emitMove(e: Emitter, width: Width, offset: number, index?: Register): void {
  e.transfer(width, mem(r9, offset, index), mem(e.packed, offset, index));
}

/** As many bytes from the start, and up to the end. */
function emitHeadAndTail(e: Emitter, bytes: number): void {
  const width = Math.min(bytes, e.isa.widest) as Width;
  for (let offset = 0; offset < bytes; offset += width) emitMove(e, width, offset);
  for (let offset = 0; offset < bytes; offset += width) emitMove(e, width, offset, rcx);
}

/**
 * Four moves that are clamped to the run. The others lie min(width, rcx), rcx - min(width, rcx) and rcx behind the
 * first.
 */
function emitClamped(e: Emitter, width: Width): void {
  e.set(r10, width);
  e.emit(general.cmp_rm64_r64, rcx, r10);
  e.emit(general.cmovb_r64_rm64, r10, rcx);
  emitMove(e, width, 0);
  emitMove(e, width, 0, r10);
  e.emit(general.sub_rm64_r64, r10, rcx);
  e.emit(general.neg_rm64, r10);
  emitMove(e, width, 0, r10);
  emitMove(e, width, 0, rcx);
}
