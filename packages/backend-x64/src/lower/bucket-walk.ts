import { general, mem, r10, r11, r8, r9, rax, rcx, rdx, rsp, type Label, type Register } from "@stowage/asm-x64";
import { LONG_RUN_BYTES, WORDS_A_RUN, type Buckets } from "./buckets.js";
import { emitEntry, emitTableAddress } from "./displacement.js";
import type { Emitter } from "./emitter.js";
import type { Width } from "./isa.js";

const TOP_OF_STACK = mem(rsp);
const RUN_BYTES = 4 * WORDS_A_RUN;

/** r8 = address of the chunk that `chunk` numbers. Clobbers it. */
export function chunkAddress(e: Emitter, { places, words }: Pick<Buckets, "places" | "words">, chunk: Register): void {
  const table = e.tables.add(e.asm, places);
  emitTableAddress(e, r8, table, chunk);
  emitEntry(e, chunk, table, r8, 0);
  emitTableAddress(e, r8, e.tables.add(e.asm, words));
  e.emit(general.add_rm64_r64, r8, chunk);
}

/** All chunks, by the routine that walks them. */
export function emitAllChunks(e: Emitter, { chunks, words }: Buckets, walk: Label): void {
  emitTableAddress(e, r8, e.tables.add(e.asm, words));
  e.set(rdx, chunks);
  e.emit(general.jmp_rel32, walk);
}

/** The routine of rdx chunks from address r8, runs grouped by length: keeps the scattered register, moves the packed one on. */
export function emitChunkWalk(e: Emitter, { groups }: Buckets): void {
  e.reframe();
  e.emit(general.push_r64, rdx);
  const top = e.asm.here();
  for (const group of groups) emitGroup(e, group);
  e.emit(general.movsxd_r64_m32, rax, mem(r8));
  e.emit(general.add_rm64_r64, e.packed, rax);
  e.addTo(r8, 4);
  e.emit(general.dec_rm64, TOP_OF_STACK);
  e.emit(general.jne_rel32, top);
  e.emit(general.pop_r64, rdx);
  e.emit(general.ret);
}

/** The runs of one group in this chunk: at least `least` bytes, less than twice that. */
function emitGroup(e: Emitter, least: number): void {
  const none = e.asm.label();
  e.emit(general.movsxd_r64_m32, rcx, mem(r8));
  e.addTo(r8, 4);
  e.emit(general.test_rm64_r64, rcx, rcx);
  e.emit(general.je_rel32, none);
  const top = e.asm.here();
  e.emit(general.movsxd_r64_m32, r9, mem(r8));
  e.emit(general.movsxd_r64_m32, r10, mem(r8, 4));
  if (least >= LONG_RUN_BYTES) emitLongRun(e);
  else emitHeadAndTail(e, least);
  e.addTo(r8, RUN_BYTES);
  e.emit(general.dec_rm64, rcx);
  e.emit(general.jne_rel32, top);
  e.asm.bind(none);
}

/** From r9 and r10: `least` bytes from the start, and as many up to the end. */
function emitHeadAndTail(e: Emitter, least: number): void {
  const width = Math.min(least, e.isa.widest) as Width;
  for (let offset = 0; offset < least; offset += width) e.transfer(width, mem(e.scattered, offset, r9), mem(e.packed, offset, r10));
  if (least === 1) return;
  e.emit(general.movsxd_r64_m32, rax, mem(r8, 8));
  e.emit(general.add_rm64_r64, r9, rax);
  e.emit(general.add_rm64_r64, r10, rax);
  for (let offset = -least; offset < 0; offset += width) e.transfer(width, mem(e.scattered, offset, r9), mem(e.packed, offset, r10));
}

function emitLongRun(e: Emitter): void {
  const [from, to] = e.direction === "pack" ? [r9, r10] : [r10, r9];
  e.emit(general.add_rm64_r64, r9, e.scattered);
  e.emit(general.add_rm64_r64, r10, e.packed);
  e.emit(general.push_r64, rcx);
  e.emit(general.movsxd_r64_m32, rcx, mem(r8, 8));
  e.emit(general.mov_rm64_r64, r11, to);
  e.emit(general.mov_rm64_r64, r10, from);
  e.emit(general.call_rel32, e.copyBytes());
  e.emit(general.pop_r64, rcx);
}
