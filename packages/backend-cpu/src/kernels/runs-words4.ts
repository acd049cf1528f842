// Written by scripts/cpu-kernels.mjs.
/** Blocks of differing lengths into one run, by words of 4 bytes. */
export function gatherRuns4(
  source: Int32Array,
  sourceAt: number,
  table: Int32Array,
  lengths: Int32Array,
  scale: number,
  first: number,
  target: Int32Array,
  targetAt: number,
  count: number,
): void {
  let to = targetAt;
  const end = first + count;
  for (let block = first; block < end; block++) {
    const from = sourceAt + (table[block] as number) * scale;
    const words = (lengths[block] as number) * scale;
    let i = 0;
    for (; i < words - 7; i += 8) {
      target[to + i] = source[from + i] as number;
      target[to + i + 1] = source[from + i + 1] as number;
      target[to + i + 2] = source[from + i + 2] as number;
      target[to + i + 3] = source[from + i + 3] as number;
      target[to + i + 4] = source[from + i + 4] as number;
      target[to + i + 5] = source[from + i + 5] as number;
      target[to + i + 6] = source[from + i + 6] as number;
      target[to + i + 7] = source[from + i + 7] as number;
    }
    if (i < words - 3) {
      target[to + i] = source[from + i] as number;
      target[to + i + 1] = source[from + i + 1] as number;
      target[to + i + 2] = source[from + i + 2] as number;
      target[to + i + 3] = source[from + i + 3] as number;
      i += 4;
    }
    for (; i < words; i++) target[to + i] = source[from + i] as number;
    to += words;
  }
}

/** One run into blocks of differing lengths, by words of 4 bytes. */
export function scatterRuns4(
  source: Int32Array,
  sourceAt: number,
  target: Int32Array,
  targetAt: number,
  table: Int32Array,
  lengths: Int32Array,
  scale: number,
  first: number,
  count: number,
): void {
  let from = sourceAt;
  const end = first + count;
  for (let block = first; block < end; block++) {
    const to = targetAt + (table[block] as number) * scale;
    const words = (lengths[block] as number) * scale;
    let i = 0;
    for (; i < words - 7; i += 8) {
      target[to + i] = source[from + i] as number;
      target[to + i + 1] = source[from + i + 1] as number;
      target[to + i + 2] = source[from + i + 2] as number;
      target[to + i + 3] = source[from + i + 3] as number;
      target[to + i + 4] = source[from + i + 4] as number;
      target[to + i + 5] = source[from + i + 5] as number;
      target[to + i + 6] = source[from + i + 6] as number;
      target[to + i + 7] = source[from + i + 7] as number;
    }
    if (i < words - 3) {
      target[to + i] = source[from + i] as number;
      target[to + i + 1] = source[from + i + 1] as number;
      target[to + i + 2] = source[from + i + 2] as number;
      target[to + i + 3] = source[from + i + 3] as number;
      i += 4;
    }
    for (; i < words; i++) target[to + i] = source[from + i] as number;
    from += words;
  }
}
