import { avx512, general, k, rax, rip, zmm, type Assembler, type Register } from "@stowage/asm-x64";
import type { Constants } from "../loops/facts/constants.js";
import { DWORD_BYTES } from "../widths.js";
import { emitSet } from "./arithmetic.js";
import type { Tables } from "./tables.js";

const FIRST_MASK = 1;
const FIRST_VECTOR = 16;

/** The register that a plan took for a mask. */
export const maskRegister = (masks: readonly bigint[], mask: bigint): Register => k(FIRST_MASK + placeOf(masks, mask));

/** The register that a plan took for a vector. */
export const vectorRegister = (vectors: readonly Int32Array[], vector: Int32Array): Register =>
  zmm(FIRST_VECTOR + placeOf(vectors, vector));

function placeOf<T>(taken: readonly T[], constant: T): number {
  const place = taken.indexOf(constant);
  if (place < 0) throw new RangeError("constants: expected one that a plan took a register for, got another");
  return place;
}

/** Fills every register. Clobbers rax. */
export function emitConstants(asm: Assembler, tables: Tables, { masks, vectors }: Constants): void {
  for (const mask of masks) {
    if (mask < 1n << 32n) emitSet(asm, rax, Number(mask));
    else asm.emit(general.mov_r64_imm64, [rax, mask]);
    asm.emit(avx512.kmovq_k_r64, [maskRegister(masks, mask), rax]);
  }
  for (const vector of vectors)
    asm.emit(avx512.vmovdqu64_zmm_load, [vectorRegister(vectors, vector), rip(tables.add(asm, vector).label)]);
}

const DWORDS = 8;

/** Masks of the first double words of a vector at AVX2, by how many they are. */
const DWORD_MASKS = Array.from({ length: DWORDS + 1 }, (_, dwords) => new Int32Array(DWORDS).fill(-1, 0, dwords));

export const dwordMask = (bytes: number): Int32Array<ArrayBuffer> =>
  DWORD_MASKS[bytes / DWORD_BYTES] as Int32Array<ArrayBuffer>;
