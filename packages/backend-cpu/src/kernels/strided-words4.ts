/** Loops over 4-byte words: words8's, over Int32Array. They are apart on purpose, as words8 says. */
export function stridedOne4(
  source: Int32Array,
  sourceAt: number,
  sourceStride: number,
  target: Int32Array,
  targetAt: number,
  targetStride: number,
  count: number,
): void {
  let from = sourceAt;
  let to = targetAt;
  for (let block = 0; block < count; block++) {
    target[to] = source[from] as number;
    from += sourceStride;
    to += targetStride;
  }
}

export function stridedTwo4(
  source: Int32Array,
  sourceAt: number,
  sourceStride: number,
  target: Int32Array,
  targetAt: number,
  targetStride: number,
  count: number,
): void {
  let from = sourceAt;
  let to = targetAt;
  for (let block = 0; block < count; block++) {
    target[to] = source[from] as number;
    target[to + 1] = source[from + 1] as number;
    from += sourceStride;
    to += targetStride;
  }
}

export function stridedThree4(
  source: Int32Array,
  sourceAt: number,
  sourceStride: number,
  target: Int32Array,
  targetAt: number,
  targetStride: number,
  count: number,
): void {
  let from = sourceAt;
  let to = targetAt;
  for (let block = 0; block < count; block++) {
    target[to] = source[from] as number;
    target[to + 1] = source[from + 1] as number;
    target[to + 2] = source[from + 2] as number;
    from += sourceStride;
    to += targetStride;
  }
}

export function stridedMany4(
  source: Int32Array,
  sourceAt: number,
  sourceStride: number,
  target: Int32Array,
  targetAt: number,
  targetStride: number,
  count: number,
  words: number,
): void {
  let from = sourceAt;
  let to = targetAt;
  const unrolled = words - 3;
  for (let block = 0; block < count; block++) {
    let i = 0;
    for (; i < unrolled; i += 4) {
      target[to + i] = source[from + i] as number;
      target[to + i + 1] = source[from + i + 1] as number;
      target[to + i + 2] = source[from + i + 2] as number;
      target[to + i + 3] = source[from + i + 3] as number;
    }
    for (; i < words; i++) target[to + i] = source[from + i] as number;
    from += sourceStride;
    to += targetStride;
  }
}
