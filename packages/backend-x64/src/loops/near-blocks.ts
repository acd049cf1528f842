import type { Register } from "@stowage/asm-x64";
import type { Emitter } from "./emitter.js";

/** Bytes of one vector at AVX2. */
export const VECTOR_BYTES = 32;

/** Short blocks so near each other that one vector reaches several, or that no line between them is left out. */
export interface Near {
  readonly blockBytes: number;
  readonly strideBytes: number;
}

/** Where a packed byte lies on the scattered side, both from the first block's first byte. */
export const scatteredByte = ({ blockBytes, strideBytes }: Near, packed: number): number =>
  Math.floor(packed / blockBytes) * strideBytes + (packed % blockBytes);

/** Bytes from the first block's first to the last one's last: no load of a round reads outside them. */
export const spanOf = ({ blockBytes, strideBytes }: Near, blocks: number): number =>
  (blocks - 1) * strideBytes + blockBytes;

/** 32 bytes that no round changes. */
export type Constant = Int32Array<ArrayBuffer>;

/** How 32 packed bytes come together in a register. */
export interface Filling {
  /** What it costs, its store left out; an operand in memory counts as a load of its own. */
  readonly instructions: number;
  readonly constants: readonly Constant[];
  /** Into ymm `number`; the one after it is free too. `scattered`: where the round's first block lies. */
  emit(e: Emitter, scattered: number, number: number, registerOf: (constant: Constant) => Register): void;
}
