/** Reused outputs of calls: JavaScript has one thread, and every output is read before the next call. */
const CELLS = new ArrayBuffer(64); // a buffer of its own never moves
export const int32 = new Int32Array(CELLS, 0, 1);
export const counts = {
  first: new BigInt64Array(CELLS, 8, 1),
  second: new BigInt64Array(CELLS, 16, 1),
  third: new BigInt64Array(CELLS, 24, 1),
  fourth: new BigInt64Array(CELLS, 32, 1),
};
export const ints = {
  first: new Int32Array(CELLS, 40, 1),
  second: new Int32Array(CELLS, 44, 1),
  third: new Int32Array(CELLS, 48, 1),
};

export const takeInt = (cell: Int32Array = int32): number => cell[0] as number;
/** MPI_Count's that we take are counts of what fits into memory, or bounds that ir would refuse beyond 2^53. */
export const takeCount = (cell: BigInt64Array): number => Number(cell[0]);
