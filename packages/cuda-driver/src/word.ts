const HALF = 2 ** 32;

/** Writes a 64-bit integer, two's complement where it is negative, as two halves: a BigInt would be an allocation. */
export function writeWord(halves: Uint32Array, word: number, value: number): void {
  const high = Math.floor(value / HALF);
  halves[2 * word] = value - high * HALF;
  halves[2 * word + 1] = high;
}

/** 64-bit words as halves, in memory of their own. */
export function wordsOf(values: ArrayLike<number>): Uint32Array {
  const halves = new Uint32Array(values.length * 2);
  for (let i = 0; i < values.length; i++) writeWord(halves, i, values[i] as number);
  return halves;
}
