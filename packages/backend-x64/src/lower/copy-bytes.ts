import { avx512, general, k, mem, r10, r11, r32d, rax, rcx, rdi, rdx, rsi, zmm, type Label } from "@stowage/asm-x64";
import { LINE_BYTES } from "../loops/facts/cache.js";
import type { AnyLengthPlan } from "../loops/plans.js";
import type { Width } from "../widths.js";
import type { CopyFragment } from "./assembler-session.js";
import { Emitter } from "./emitter.js";
import type { Isa } from "./isa.js";
import type { CopyRoutines } from "./routines.js";

/**
 * The copies of a run-time length: rcx bytes from r10 to r11, any number. Two moves that overlap cover any length
 * from their width to twice that, so that no byte outside is touched. Clobber rax, rdx, rcx, r10, r11 and vectors.
 */
export function emitCopyRoutines(e: Emitter, { nonTemporal, bytes }: CopyRoutines): void {
  const { nonTemporalBytes, maskedRuns, repMovsbBytes, alignedStoresBytes } = e.tuning;
  const variant = { level: e.isa.level, nonTemporalBytes, maskedRuns, repMovsbBytes, alignedStoresBytes };
  const known = e.assembly.session.copies(variant, () => assemble(e));
  e.asm.splice(known, [
    [nonTemporal, known.nonTemporal],
    [bytes, known.bytes],
  ]);
}

/**
 * The routines refer to each other and to nothing outside, so their bytes are the same in every program of a variant.
 */
function assemble({ assembly, isa, plan }: Emitter): CopyFragment {
  // Clipped ranges start anywhere: no move is an aligned one.
  const alone = new Emitter(assembly.apart(isa.level), plan);
  const { asm } = alone;
  const [nonTemporal, bytes] = [asm.label(), asm.label()];
  asm.bind(nonTemporal);
  emitNonTemporal(alone, plan.anyLength, bytes);
  asm.bind(bytes);
  emitBytes(alone, plan.anyLength, nonTemporal);
  return { code: asm.finish(), assembler: asm, nonTemporal, bytes };
}

/**
 * Long runs: up to the target's next line by moves that overlap it, then full lines by non-temporal stores. The rest,
 * and shorter runs, are copied by the code that follows.
 */
function emitNonTemporal(e: Emitter, { nonTemporal }: AnyLengthPlan, bytes: Label): void {
  const { isa } = e;
  const { widthBytes: width, linesARound } = nonTemporal;
  const moves = LINE_BYTES / width;
  const atLine = e.asm.label();
  e.emit(general.cmp_rm64_imm32, rcx, nonTemporal.fromBytes);
  e.emit(general.jb_rel32, bytes);
  // The lines where this run ends and where the next one may begin: a store that misses there would stall those behind
  // it.
  e.emit(general.prefetchw, mem(r11, -1, rcx));
  e.emit(general.prefetchw, mem(r11, LINE_BYTES - 1, rcx));
  emitUpTo(e, LINE_BYTES);
  e.emit(general.je_rel32, atLine);
  for (let i = 0; i < moves; i++) isa.load(e.asm, width, i, mem(r10, i * width));
  for (let i = 0; i < moves; i++) isa.store(e.asm, width, i, mem(r11, i * width));
  emitPast(e);
  e.asm.bind(atLine);
  const roundBytes = linesARound * LINE_BYTES;
  const top = e.asm.here();
  for (let i = 0; i < linesARound * moves; i++) isa.load(e.asm, width, i, mem(r10, i * width));
  for (let i = 0; i < linesARound * moves; i++) isa.storeNonTemporal(e.asm, width, i, mem(r11, i * width));
  e.addTo(r10, roundBytes);
  e.addTo(r11, roundBytes);
  e.emit(general.sub_rm64_imm32, rcx, roundBytes);
  e.emit(general.cmp_rm64_imm32, rcx, roundBytes);
  e.emit(general.jae_rel32, top);
}

/** rax = bytes up to the target's next multiple of a power of two; the zero flag tells of none. */
function emitUpTo(e: Emitter, multiple: number): void {
  e.emit(general.xor_rm32_r32, r32d(rax.number), r32d(rax.number));
  e.emit(general.sub_rm64_r64, rax, r11);
  e.emit(general.and_rm64_imm8, rax, multiple - 1);
}

/** Goes on rax bytes behind where the run is. */
function emitPast(e: Emitter): void {
  e.emit(general.add_rm64_r64, r10, rax);
  e.emit(general.add_rm64_r64, r11, rax);
  e.emit(general.sub_rm64_r64, rcx, rax);
}

function emitBytes(e: Emitter, plan: AnyLengthPlan, nonTemporal: Label): void {
  const { pairsBytes, byMask, nonTemporalFromBytes, repMovsbFromBytes, alignedFromBytes, roundMoves } = plan;
  const [longest = 0] = pairsBytes;
  const long = e.asm.label();
  e.emit(general.cmp_rm64_imm32, rcx, 2 * longest);
  e.emit(general.ja_rel32, long);
  for (const bytes of pairsBytes) emitPair(e, e.isa, bytes);
  if (byMask) emitByMask(e);
  else emitLastByte(e, e.isa);
  e.asm.bind(long);
  if (nonTemporalFromBytes !== undefined) emitLongest(e, nonTemporalFromBytes, nonTemporal);
  if (repMovsbFromBytes !== undefined) emitRepMovsb(e, repMovsbFromBytes);
  if (alignedFromBytes !== undefined) emitAlignment(e, alignedFromBytes);
  emitRounds(e, e.isa, roundMoves);
  emitTail(e, e.isa);
}

/** Runs that take non-temporal stores by themselves. */
function emitLongest(e: Emitter, fromBytes: number, nonTemporal: Label): void {
  const cached = e.asm.label();
  e.emit(general.cmp_rm64_imm32, rcx, fromBytes);
  e.emit(general.jb_rel32, cached);
  e.emit(general.call_rel32, nonTemporal);
  e.emit(general.sfence);
  e.emit(general.ret);
  e.asm.bind(cached);
}

/** It takes its addresses in rsi and rdi, which are the caller's. */
function emitRepMovsb(e: Emitter, fromBytes: number): void {
  const shorter = e.asm.label();
  e.emit(general.cmp_rm64_imm32, rcx, fromBytes);
  e.emit(general.jb_rel32, shorter);
  e.emit(general.mov_rm64_r64, rax, rsi);
  e.emit(general.mov_rm64_r64, rdx, rdi);
  e.emit(general.mov_rm64_r64, rsi, r10);
  e.emit(general.mov_rm64_r64, rdi, r11);
  e.emit(general.rep_movsb);
  e.emit(general.mov_rm64_r64, rsi, rax);
  e.emit(general.mov_rm64_r64, rdi, rdx);
  e.emit(general.ret);
  e.asm.bind(shorter);
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

/** The first vector, by which the target's next multiple of a vector is reached: what follows begins there. */
function emitAlignment(e: Emitter, fromBytes: number): void {
  const { isa } = e;
  const shorter = e.asm.label();
  e.emit(general.cmp_rm64_imm32, rcx, fromBytes);
  e.emit(general.jb_rel32, shorter);
  isa.load(e.asm, isa.widest, 0, mem(r10));
  isa.store(e.asm, isa.widest, 0, mem(r11));
  emitUpTo(e, isa.widest);
  emitPast(e);
  e.asm.bind(shorter);
}

function emitRounds(e: Emitter, isa: Isa, moves: number): void {
  const { widest } = isa;
  const roundBytes = moves * widest;
  const rest = e.asm.label();
  e.emit(general.cmp_rm64_imm32, rcx, roundBytes);
  e.emit(general.jb_rel32, rest);
  const top = e.asm.here();
  for (let i = 0; i < moves; i++) isa.load(e.asm, widest, i, mem(r10, i * widest));
  for (let i = 0; i < moves; i++) isa.store(e.asm, widest, i, mem(r11, i * widest));
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
