import {
  Assembler,
  general,
  r10,
  r32d,
  r8,
  r9,
  rax,
  rbx,
  rcx,
  rdi,
  rdx,
  rip,
  rsi,
  type Label,
  type Register,
} from "@stowage/asm-x64";
import type { FeatureLevel } from "@stowage/backend-x64";

/** How the levels are numbered where the chosen one is kept; 0: none has been chosen. */
export const LEVEL_NUMBERS: Readonly<Record<FeatureLevel, number>> = { sse2: 1, avx2: 2, avx512: 3 };

/** The routine, and the place outside it where the number is kept. */
export interface Chooser {
  readonly assembler: Assembler;
  readonly kept: Label;
}

const ARGUMENTS: readonly Register[] = [rdi, rsi, rdx, rcx, r8];
/** The chosen level's number, and what stays across cpuid: xcr0. */
const [CHOSEN, XCR0, SCRATCH] = [r9, r8, r10];

const bits = (...positions: readonly number[]): number => positions.reduce((mask, at) => mask + 2 ** at, 0);

/** cpuid(1).ecx: the system saves registers by XSAVE; AVX. */
const OSXSAVE_AND_AVX = bits(27, 28);
/** XMM and YMM; with them the masks, the upper halves of ZMM0 to 15, and ZMM16 to 31. */
const YMM_SAVED = bits(1, 2);
const ZMM_SAVED = bits(1, 2, 5, 6, 7);
/** cpuid(7).ebx: AVX2 and BMI2. */
const AVX2 = bits(5, 8);
/** cpuid(7).ebx: F, DQ, BW, VL; cpuid(7).ecx: VBMI. */
const AVX512 = bits(16, 17, 30, 31);
const VBMI = bits(1);

/**
 * A routine of an object file's functions, which call it with their own callers' arguments: it keeps those. It asks the
 * processor and the system what they have, as backend-x64 does (Intel SDM volume 1, sections 14.3 and 15.2), and keeps
 * the number of the best level. Threads that come at once find the same answer, and the one aligned store of it is
 * atomic: no lock is needed.
 */
export function chooser(): Chooser {
  const assembler = new Assembler({ listing: true });
  const [kept, decided] = [assembler.outside(), assembler.label()];
  for (const register of [...ARGUMENTS, rbx]) assembler.emit(general.push_r64, [register]);
  choose(assembler, "sse2");
  emitQuestions(assembler, decided);
  assembler.bind(decided);
  assembler.emit(general.mov_rm32_r32, [rip(kept), r32d(CHOSEN.number)]);
  for (const register of [rbx, ...ARGUMENTS.toReversed()]) assembler.emit(general.pop_r64, [register]);
  assembler.emit(general.ret);
  return { assembler, kept };
}

function emitQuestions(asm: Assembler, decided: Label): void {
  leaf(asm, 0);
  asm.emit(general.cmp_rm64_imm8, [rax, 7]);
  asm.emit(general.jb_rel32, [decided]);
  leaf(asm, 1);
  unlessAll(asm, rcx, OSXSAVE_AND_AVX, decided);
  asm.emit(general.mov_rm64_imm32, [rcx, 0]);
  asm.emit(general.xgetbv);
  asm.emit(general.mov_rm64_r64, [XCR0, rax]);
  unlessAll(asm, XCR0, YMM_SAVED, decided);
  leaf(asm, 7);
  unlessAll(asm, rbx, AVX2, decided);
  choose(asm, "avx2");
  unlessAll(asm, XCR0, ZMM_SAVED, decided);
  unlessAll(asm, rbx, AVX512, decided);
  unlessAll(asm, rcx, VBMI, decided);
  choose(asm, "avx512");
}

const choose = (asm: Assembler, level: FeatureLevel): void =>
  asm.emit(general.mov_r32_imm32, [r32d(CHOSEN.number), LEVEL_NUMBERS[level]]);

/** Leaf 7 has subleaves, of which the first is meant. */
function leaf(asm: Assembler, number: number): void {
  asm.emit(general.mov_rm64_imm32, [rax, number]);
  asm.emit(general.mov_rm64_imm32, [rcx, 0]);
  asm.emit(general.cpuid);
}

function unlessAll(asm: Assembler, register: Register, mask: number, otherwise: Label): void {
  asm.emit(general.mov_r32_imm32, [r32d(SCRATCH.number), mask]);
  asm.emit(general.mov_rm64_r64, [rax, register]);
  asm.emit(general.and_rm64_r64, [rax, SCRATCH]);
  asm.emit(general.cmp_rm64_r64, [rax, SCRATCH]);
  asm.emit(general.jne_rel32, [otherwise]);
}
