import type { FeatureLevel, X64Options } from "@stowage/backend-x64";

/**
 * The processors that code is written for: a level of the x86-64 ABI (System V AMD64 psABI, "micro-architecture
 * levels"), or "multi", all of them behind one entry.
 */
export type X64Target = "x86-64" | "x86-64-v3" | "x86-64-v4" | "multi";

/** One way to write a function's code. */
export interface CodeVariant {
  readonly level: FeatureLevel;
  readonly options: X64Options;
}

const SSE2: CodeVariant = { level: "sse2", options: {} };
const AVX2: CodeVariant = { level: "avx2", options: {} };

/** From the least demanding. x86-64-v4 lacks VBMI, which permuted blocks need; `multi` asks the processor for it. */
export const VARIANTS: Readonly<Record<X64Target, readonly CodeVariant[]>> = {
  "x86-64": [SSE2],
  "x86-64-v3": [AVX2],
  "x86-64-v4": [{ level: "avx512", options: { permutedBlocks: false } }],
  multi: [SSE2, AVX2, { level: "avx512", options: {} }],
};
