// Written by scripts/cpu-kernels.mjs.
/* Strided blocks into irregular ones, by words of 4 bytes: of one, two, three and any number of words. */

export function scatterOne4(
  source: Int32Array,
  sourceAt: number,
  sourceStride: number,
  target: Int32Array,
  targetAt: number,
  table: Int32Array,
  scale: number,
  first: number,
  count: number,
): void {
  let from = sourceAt;
  let to = targetAt;
  let block = first;
  const end = first + count;
  for (; block < end - 7; block += 8) {
    to = targetAt + (table[block] as number) * scale;
    target[to] = source[from] as number;
    from += sourceStride;
    to = targetAt + (table[block + 1] as number) * scale;
    target[to] = source[from] as number;
    from += sourceStride;
    to = targetAt + (table[block + 2] as number) * scale;
    target[to] = source[from] as number;
    from += sourceStride;
    to = targetAt + (table[block + 3] as number) * scale;
    target[to] = source[from] as number;
    from += sourceStride;
    to = targetAt + (table[block + 4] as number) * scale;
    target[to] = source[from] as number;
    from += sourceStride;
    to = targetAt + (table[block + 5] as number) * scale;
    target[to] = source[from] as number;
    from += sourceStride;
    to = targetAt + (table[block + 6] as number) * scale;
    target[to] = source[from] as number;
    from += sourceStride;
    to = targetAt + (table[block + 7] as number) * scale;
    target[to] = source[from] as number;
    from += sourceStride;
  }
  for (; block < end; block++) {
    to = targetAt + (table[block] as number) * scale;
    target[to] = source[from] as number;
    from += sourceStride;
  }
}

export function scatterTwo4(
  source: Int32Array,
  sourceAt: number,
  sourceStride: number,
  target: Int32Array,
  targetAt: number,
  table: Int32Array,
  scale: number,
  first: number,
  count: number,
): void {
  let from = sourceAt;
  let to = targetAt;
  let block = first;
  const end = first + count;
  for (; block < end - 3; block += 4) {
    to = targetAt + (table[block] as number) * scale;
    target[to] = source[from] as number;
    target[to + 1] = source[from + 1] as number;
    from += sourceStride;
    to = targetAt + (table[block + 1] as number) * scale;
    target[to] = source[from] as number;
    target[to + 1] = source[from + 1] as number;
    from += sourceStride;
    to = targetAt + (table[block + 2] as number) * scale;
    target[to] = source[from] as number;
    target[to + 1] = source[from + 1] as number;
    from += sourceStride;
    to = targetAt + (table[block + 3] as number) * scale;
    target[to] = source[from] as number;
    target[to + 1] = source[from + 1] as number;
    from += sourceStride;
  }
  for (; block < end; block++) {
    to = targetAt + (table[block] as number) * scale;
    target[to] = source[from] as number;
    target[to + 1] = source[from + 1] as number;
    from += sourceStride;
  }
}

export function scatterThree4(
  source: Int32Array,
  sourceAt: number,
  sourceStride: number,
  target: Int32Array,
  targetAt: number,
  table: Int32Array,
  scale: number,
  first: number,
  count: number,
): void {
  let from = sourceAt;
  let to = targetAt;
  let block = first;
  const end = first + count;
  for (; block < end - 1; block += 2) {
    to = targetAt + (table[block] as number) * scale;
    target[to] = source[from] as number;
    target[to + 1] = source[from + 1] as number;
    target[to + 2] = source[from + 2] as number;
    from += sourceStride;
    to = targetAt + (table[block + 1] as number) * scale;
    target[to] = source[from] as number;
    target[to + 1] = source[from + 1] as number;
    target[to + 2] = source[from + 2] as number;
    from += sourceStride;
  }
  for (; block < end; block++) {
    to = targetAt + (table[block] as number) * scale;
    target[to] = source[from] as number;
    target[to + 1] = source[from + 1] as number;
    target[to + 2] = source[from + 2] as number;
    from += sourceStride;
  }
}

export function scatterMany4(
  source: Int32Array,
  sourceAt: number,
  sourceStride: number,
  target: Int32Array,
  targetAt: number,
  table: Int32Array,
  scale: number,
  first: number,
  count: number,
  words: number,
): void {
  let from = sourceAt;
  let to = targetAt;
  let block = first;
  const end = first + count;
  for (; block < end; block++) {
    to = targetAt + (table[block] as number) * scale;
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
    from += sourceStride;
  }
}
