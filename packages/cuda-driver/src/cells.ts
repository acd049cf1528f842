/** Reused outputs of calls; JavaScript has one thread, and every call's output is read before the next call. */
const CELLS = new ArrayBuffer(40);
export const word64 = new BigUint64Array(CELLS, 0, 1);
export const otherWord64 = new BigUint64Array(CELLS, 8, 1);
export const int32 = new Int32Array(CELLS, 16, 1);
export const otherInt32 = new Int32Array(CELLS, 32, 1);
export const float32 = new Float32Array(CELLS, 24, 1);

/** A handle or address that a call wrote to `word64`. User-space addresses of 64-bit Linux are safe integers. */
export const takeWord = (): number => Number(word64[0]);
export const takeInt = (): number => int32[0] as number;
