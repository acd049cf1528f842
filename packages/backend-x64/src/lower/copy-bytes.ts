import { avx512, general, k, mem, r10, r11, rax, rcx, zmm, type Label } from "@stowage/asm-x64";
import { Emitter } from "./emitter.js";
import { isaOf, type Isa, type Width } from "./isa.js";

const MOVES_PER_ROUND = 4;
/** Moves of the longest head, and of the longest tail. */
const LONGEST_PAIR = 4;

/**
 * The copy of a run-time length: rcx bytes from r10 to r11, any number. Two moves that overlap cover any length
 * from their width to twice that, so that no byte outside is touched. Clobbers rax, rdx, rcx, r10, r11 and vectors.
 */
export function emitCopyBytes(e: Emitter, label: Label): void {
  e.asm.bind(label);
  // Clipped ranges start anywhere.
  if (e.listing) return emitRoutine(e, isaOf(e.isa.level));
  const variant = `${e.isa.level} ${e.tuning.streamingBytes} ${String(e.tuning.maskedRuns)}`;
  const known = assembled.get(variant) ?? assemble(e);
  assembled.set(variant, known);
  e.asm.data(known);
}

/** The routine refers to nothing outside, so its bytes are the same in every program of a level and size. */
const assembled = new Map<string, Uint8Array>();

function assemble({ isa, tuning, direction }: Emitter): Uint8Array {
  const alone = new Emitter(isaOf(isa.level), tuning, direction, false);
  emitRoutine(alone, alone.isa);
  return alone.asm.finish();
}

function emitRoutine(e: Emitter, isa: Isa): void {
  const widest = isa.widest;
  const long = e.asm.label();
  e.emit(general.cmp_rm64_imm32, rcx, 2 * LONGEST_PAIR * widest);
  e.emit(general.ja_rel32, long);
  const byMask = e.masks && e.tuning.maskedRuns;
  const least = byMask ? widest : 2;
  for (let bytes = LONGEST_PAIR * widest; bytes >= least; bytes /= 2) emitPair(e, isa, bytes);
  if (byMask) emitByMask(e);
  else emitLastByte(e, isa);
  e.asm.bind(long);
  emitPastCache(e, isa);
  emitRounds(e, isa);
  emitTail(e, isa);
}

/** From the streaming size on: up to an aligned target by one move, then rounds of stores past the cache. */
function emitPastCache(e: Emitter, isa: Isa): void {
  const least = e.tuning.streamingBytes;
  if (!(least <= 0x7fffffff)) return;
  const width = Math.min(isa.widest, 32) as 16 | 32;
  const roundBytes = MOVES_PER_ROUND * width;
  const cached = e.asm.label();
  e.emit(general.cmp_rm64_imm32, rcx, Math.max(least, 2 * roundBytes));
  e.emit(general.jb_rel32, cached);
  isa.load(e.asm, width, 0, mem(r10));
  isa.store(e.asm, width, 0, mem(r11));
  // rax = bytes up to the next multiple of the width, 1 at least.
  e.emit(general.mov_rm64_r64, rax, r11);
  e.emit(general.and_rm64_imm8, rax, width - 1);
  e.addTo(rax, -width);
  e.emit(general.sub_rm64_r64, r10, rax);
  e.emit(general.sub_rm64_r64, r11, rax);
  e.emit(general.add_rm64_r64, rcx, rax);
  const top = e.asm.here();
  for (let i = 0; i < MOVES_PER_ROUND; i++) isa.load(e.asm, width, i, mem(r10, i * width));
  for (let i = 0; i < MOVES_PER_ROUND; i++) isa.stream(e.asm, width, i, mem(r11, i * width));
  e.addTo(r10, roundBytes);
  e.addTo(r11, roundBytes);
  e.emit(general.sub_rm64_imm32, rcx, roundBytes);
  e.emit(general.cmp_rm64_imm32, rcx, roundBytes);
  e.emit(general.jae_rel32, top);
  e.emit(general.sfence);
  e.asm.bind(cached);
}

/** Lengths of at least `bytes`, at most twice that: as many from the head, and as many up to the end. */
function emitPair(e: Emitter, isa: Isa, bytes: number): void {
  const width = Math.min(bytes, isa.widest) as Width;
  const moves = bytes / width;
  const shorter = e.asm.label();
  e.emit(general.cmp_rm64_imm32, rcx, bytes);
  e.emit(general.jb_rel32, shorter);
  for (let i = 0; i < moves; i++) isa.load(e.asm, width, i, mem(r10, i * width));
  for (let i = 0; i < moves; i++) isa.load(e.asm, width, moves + i, mem(r10, i * width - bytes, rcx));
  for (let i = 0; i < moves; i++) isa.store(e.asm, width, i, mem(r11, i * width));
  for (let i = 0; i < moves; i++) isa.store(e.asm, width, moves + i, mem(r11, i * width - bytes, rcx));
  e.emit(general.ret);
  e.asm.bind(shorter);
}

/** Any length up to a vector's, by one move of exactly its bytes. Clobbers k7. */
function emitByMask(e: Emitter): void {
  e.set(rax, -1);
  e.emit(general.bzhi_r64_rm64_r64, rax, rax, rcx);
  e.emit(avx512.kmovq_k_r64, k(7), rax);
  e.asm.emit(avx512.vmovdqu8_zmm_load, [zmm(0), mem(r10)], { mask: k(7), zeroing: true });
  e.asm.emit(avx512.vmovdqu8_zmm_store, [mem(r11), zmm(0)], { mask: k(7) });
  e.emit(general.ret);
}

function emitLastByte(e: Emitter, isa: Isa): void {
  const none = e.asm.label();
  e.emit(general.test_rm64_r64, rcx, rcx);
  e.emit(general.je_rel32, none);
  isa.load(e.asm, 1, 0, mem(r10));
  isa.store(e.asm, 1, 0, mem(r11));
  e.asm.bind(none);
  e.emit(general.ret);
}

function emitRounds(e: Emitter, isa: Isa): void {
  const { widest } = isa;
  const roundBytes = MOVES_PER_ROUND * widest;
  const rest = e.asm.label();
  e.emit(general.cmp_rm64_imm32, rcx, roundBytes);
  e.emit(general.jb_rel32, rest);
  const top = e.asm.here();
  for (let i = 0; i < MOVES_PER_ROUND; i++) isa.load(e.asm, widest, i, mem(r10, i * widest));
  for (let i = 0; i < MOVES_PER_ROUND; i++) isa.store(e.asm, widest, i, mem(r11, i * widest));
  e.addTo(r10, roundBytes);
  e.addTo(r11, roundBytes);
  e.emit(general.sub_rm64_imm32, rcx, roundBytes);
  e.emit(general.cmp_rm64_imm32, rcx, roundBytes);
  e.emit(general.jae_rel32, top);
  e.asm.bind(rest);
}

/** Fewer bytes than a round, after at least two moves' worth: the last move overlaps what is done. */
function emitTail(e: Emitter, isa: Isa): void {
  const { widest } = isa;
  const last = e.asm.label();
  const top = e.asm.here();
  e.emit(general.cmp_rm64_imm32, rcx, widest);
  e.emit(general.jbe_rel32, last);
  isa.load(e.asm, widest, 0, mem(r10));
  isa.store(e.asm, widest, 0, mem(r11));
  e.addTo(r10, widest);
  e.addTo(r11, widest);
  e.addTo(rcx, -widest);
  e.emit(general.jmp_rel32, top);
  e.asm.bind(last);
  isa.load(e.asm, widest, 0, mem(r10, -widest, rcx));
  isa.store(e.asm, widest, 0, mem(r11, -widest, rcx));
  e.emit(general.ret);
}
