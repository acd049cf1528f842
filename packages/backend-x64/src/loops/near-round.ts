import type { Constant, Filling } from "./near-blocks.js";

/** 32 packed bytes of a round. */
export interface PackedVector {
  readonly packedBytes: number;
  readonly filling: Filling;
}

/** How a round of near blocks is packed at AVX2, by whole vectors. */
export interface NearRound {
  readonly children: number;
  readonly vectors: readonly PackedVector[];
  /** By their content, in the order of their registers. */
  readonly constants: ReadonlyMap<string, Constant>;
}
