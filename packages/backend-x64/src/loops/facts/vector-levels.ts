import type { FeatureLevel } from "../../feature-level.js";
import { DWORD_BYTES, YMM_BYTES } from "../../widths.js";

/** Whether a level has masks of bytes, for loads and stores. */
export const hasMasks = (level: FeatureLevel): boolean => level === "avx512";

/** Shorter blocks are moved by general registers. */
const LEAST_BYTES = 12;

/** Whether a mask of double words loads so many bytes. */
export const loadsDwords = (level: FeatureLevel, bytes: number): boolean =>
  level === "avx2" && bytes >= LEAST_BYTES && bytes < YMM_BYTES && bytes % DWORD_BYTES === 0;
