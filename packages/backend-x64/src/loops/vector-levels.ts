import type { FeatureLevel } from "../feature-level.js";

const DWORD_BYTES = 4;
/** Bytes of one vector at AVX2. */
const VECTOR_BYTES = 32;
/** Shorter blocks are moved by general registers. */
const LEAST_DWORD_BYTES = 12;

/** Whether a level has masks of bytes, for loads and stores. */
export const hasMasks = (level: FeatureLevel): boolean => level === "avx512";

/** Whether a mask of double words loads so many bytes. */
export const loadsDwords = (level: FeatureLevel, bytes: number): boolean =>
  level === "avx2" && bytes >= LEAST_DWORD_BYTES && bytes < VECTOR_BYTES && bytes % DWORD_BYTES === 0;
