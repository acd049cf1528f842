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
  const end = first + count;
  for (let block = first; block < end; block++) {
    const to = targetAt + (table[block] as number) * scale;
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
  const end = first + count;
  for (let block = first; block < end; block++) {
    const to = targetAt + (table[block] as number) * scale;
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
  const end = first + count;
  for (let block = first; block < end; block++) {
    const to = targetAt + (table[block] as number) * scale;
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
  const end = first + count;
  const unrolled = words - 3;
  for (let block = first; block < end; block++) {
    const to = targetAt + (table[block] as number) * scale;
    let i = 0;
    for (; i < unrolled; i += 4) {
      target[to + i] = source[from + i] as number;
      target[to + i + 1] = source[from + i + 1] as number;
      target[to + i + 2] = source[from + i + 2] as number;
      target[to + i + 3] = source[from + i + 3] as number;
    }
    for (; i < words; i++) target[to + i] = source[from + i] as number;
    from += sourceStride;
  }
}
