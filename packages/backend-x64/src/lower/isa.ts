import {
  avx,
  avx512,
  general,
  register,
  sse,
  xmm,
  ymm,
  zmm,
  type Assembler,
  type BasedMemory,
  type Register,
  type Row,
} from "@stowage/asm-x64";
import type { FeatureLevel } from "../feature-level.js";
import { WORD_BYTES, type Width } from "../widths.js";

/** Bytes of a vector that a mask leaves some of untouched. */
export type MaskedWidth = 16 | 32 | 64;

interface Moves {
  readonly file: (number: number) => Register;
  readonly load: Row;
  readonly store: Row;
}

/** The plainest moves of each width at one feature level. */
export interface Isa {
  readonly level: FeatureLevel;
  readonly widest: 16 | 32 | 64;
  load(asm: Assembler, width: Width, number: number, from: BasedMemory): void;
  store(asm: Assembler, width: Width, number: number, to: BasedMemory): void;
  /** A non-temporal store; `to` must be aligned to the width, 8 or more. */
  storeNonTemporal(asm: Assembler, width: Width, number: number, to: BasedMemory): void;
  /** Loads the bytes that a mask names, at AVX-512 alone: no other byte is touched. */
  loadMasked(asm: Assembler, width: MaskedWidth, number: number, mask: Register, from: BasedMemory): void;
  /** Upper halves of vector registers left dirty would slow the SSE code of our caller. */
  leave(asm: Assembler): void;
}

// Registers whose value no loop of ours keeps: rax, rdx, r11.
const SCRATCH = [0, 2, 11] as const;
const scratch = (kind: "r8" | "r16" | "r32" | "r64") => (number: number) =>
  register(kind, SCRATCH[number % 3] as number);

const GENERAL: Readonly<Record<1 | 2 | 4 | 8, Moves & { readonly loaded: (number: number) => Register }>> = {
  1: { file: scratch("r8"), loaded: scratch("r32"), load: general.movzx_r32_m8, store: general.mov_m8_r8 },
  2: { file: scratch("r16"), loaded: scratch("r32"), load: general.movzx_r32_m16, store: general.mov_m16_r16 },
  4: { file: scratch("r32"), loaded: scratch("r32"), load: general.mov_r32_rm32, store: general.mov_rm32_r32 },
  8: { file: scratch("r64"), loaded: scratch("r64"), load: general.mov_r64_rm64, store: general.mov_rm64_r64 },
};

const XMM_SSE: Moves = { file: xmm, load: sse.movups_load, store: sse.movups_store };
const XMM: Moves = { file: xmm, load: avx.vmovdqu_xmm_load, store: avx.vmovdqu_xmm_store };
const YMM: Moves = { file: ymm, load: avx.vmovdqu_ymm_load, store: avx.vmovdqu_ymm_store };
const ZMM: Moves = { file: zmm, load: avx512.vmovdqu64_zmm_load, store: avx512.vmovdqu64_zmm_store };

const VECTORS: Readonly<Record<FeatureLevel, Readonly<Partial<Record<16 | 32 | 64, Moves>>>>> = {
  sse2: { 16: XMM_SSE },
  avx2: { 16: XMM, 32: YMM },
  avx512: { 16: XMM, 32: YMM, 64: ZMM },
};

const ALIGNED: typeof VECTORS = {
  sse2: { 16: { file: xmm, load: sse.movaps_load, store: sse.movaps_store } },
  avx2: { 16: XMM, 32: { file: ymm, load: avx.vmovdqa_ymm_load, store: avx.vmovdqa_ymm_store } },
  avx512: { 16: XMM, 32: YMM, 64: { file: zmm, load: avx512.vmovdqa64_zmm_load, store: avx512.vmovdqa64_zmm_store } },
};

const MASKED: Readonly<Record<MaskedWidth, Pick<Moves, "file" | "load">>> = {
  16: { file: xmm, load: avx512.vmovdqu8_xmm_load },
  32: { file: ymm, load: avx512.vmovdqu8_ymm_load },
  64: { file: zmm, load: avx512.vmovdqu8_zmm_load },
};

const WIDEST: Readonly<Record<FeatureLevel, 16 | 32 | 64>> = { sse2: 16, avx2: 32, avx512: 64 };

function vectorMoves(level: FeatureLevel, width: 16 | 32 | 64, aligned: boolean): Moves {
  const moves = (aligned ? ALIGNED : VECTORS)[level][width];
  if (moves === undefined)
    throw new RangeError(`vector moves at ${level}: expected at most ${WIDEST[level]} bytes, got ${width}`);
  return moves;
}

/** `alignment`: what divides every address and length; the widest moves are aligned ones where it allows. */
export function isaOf(level: FeatureLevel, alignment = 1): Isa {
  const aligned = alignment >= WIDEST[level];
  return {
    level,
    widest: WIDEST[level],
    load(asm, width, number, from) {
      if (width <= WORD_BYTES) {
        const moves = GENERAL[width as 1 | 2 | 4 | 8];
        asm.emit(moves.load, [moves.loaded(number), from]);
      } else {
        const moves = vectorMoves(level, width as 16 | 32 | 64, aligned);
        asm.emit(moves.load, [moves.file(number % 16), from]);
      }
    },
    store(asm, width, number, to) {
      const moves =
        width <= WORD_BYTES ? GENERAL[width as 1 | 2 | 4 | 8] : vectorMoves(level, width as 16 | 32 | 64, aligned);
      asm.emit(moves.store, [to, moves.file(width <= WORD_BYTES ? number : number % 16)]);
    },
    storeNonTemporal(asm, width, number, to) {
      if (width === 8) asm.emit(general.movnti_m64_r64, [to, GENERAL[8].file(number)]);
      else if (width === 16) asm.emit(level === "sse2" ? sse.movntdq : avx.vmovntdq_xmm, [to, xmm(number % 16)]);
      else if (width === 32) asm.emit(avx.vmovntdq_ymm, [to, ymm(number % 16)]);
      else throw new RangeError(`non-temporal store: expected 8, 16 or 32 bytes, got ${width}`);
    },
    loadMasked(asm, width, number, mask, from) {
      const { load, file } = MASKED[width];
      asm.emit(load, [file(number % 16), from], { mask, zeroing: true });
    },
    leave(asm) {
      if (level !== "sse2") asm.emit(avx.vzeroupper);
    },
  };
}
