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

/** Code that the first caller enters, and where in it the distance to the slot stands. */
export interface Chooser {
  readonly bytes: Uint8Array;
  readonly slotOffset: number;
}

/** Where each level's code begins, from the chooser's first byte. */
export type Entries = Readonly<Record<FeatureLevel, number>>;

const ARGUMENTS: readonly Register[] = [rdi, rsi, rdx, rcx, r8];
/** The chosen entry, and what stays across cpuid: xcr0. */
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

/** `mov [rip + distance], rax`, whose distance a relocation fills in. */
const STORE_RAX = Uint8Array.of(0x48, 0x89, 0x05, 0, 0, 0, 0);
const STORED_DISTANCE = 3;

/**
 * Asks the processor and the system what they have, as backend-x64 does (Intel SDM volume 1, sections 14.3 and 15.2),
 * keeps the answer in the slot, and goes on there with the caller's arguments. Threads that come at once find the same
 * answer, and the one aligned store of it is atomic: no lock is needed.
 */
export function chooser(entries: Entries): Chooser {
  const asm = new Assembler();
  const start = asm.here();
  const decided = asm.label();
  for (const register of [...ARGUMENTS, rbx]) asm.emit(general.push_r64, [register]);
  choose(asm, start, entries.sse2);
  emitQuestions(asm, start, entries, decided);
  asm.bind(decided);
  asm.emit(general.mov_rm64_r64, [rax, CHOSEN]);
  const slotOffset = asm.offset + STORED_DISTANCE;
  asm.data(STORE_RAX);
  for (const register of [rbx, ...ARGUMENTS.toReversed()]) asm.emit(general.pop_r64, [register]);
  asm.emit(general.jmp_rm64, [rax]);
  return { bytes: asm.finish(), slotOffset };
}

function emitQuestions(asm: Assembler, start: Label, entries: Entries, decided: Label): void {
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
  choose(asm, start, entries.avx2);
  unlessAll(asm, XCR0, ZMM_SAVED, decided);
  unlessAll(asm, rbx, AVX512, decided);
  unlessAll(asm, rcx, VBMI, decided);
  choose(asm, start, entries.avx512);
}

function choose(asm: Assembler, start: Label, offset: number): void {
  asm.emit(general.lea, [CHOSEN, rip(start)]);
  asm.emit(general.add_rm64_imm32, [CHOSEN, offset]);
}

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
