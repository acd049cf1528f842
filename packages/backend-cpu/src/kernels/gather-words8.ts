export function gatherOne8(
  source: BigInt64Array,
  sourceAt: number,
  table: Int32Array,
  scale: number,
  first: number,
  target: BigInt64Array,
  targetAt: number,
  targetStride: number,
  count: number,
): void {
  let to = targetAt;
  const end = first + count;
  for (let block = first; block < end; block++) {
    const from = sourceAt + (table[block] as number) * scale;
    target[to] = source[from] as bigint;
    to += targetStride;
  }
}

export function gatherTwo8(
  source: BigInt64Array,
  sourceAt: number,
  table: Int32Array,
  scale: number,
  first: number,
  target: BigInt64Array,
  targetAt: number,
  targetStride: number,
  count: number,
): void {
  let to = targetAt;
  const end = first + count;
  for (let block = first; block < end; block++) {
    const from = sourceAt + (table[block] as number) * scale;
    target[to] = source[from] as bigint;
    target[to + 1] = source[from + 1] as bigint;
    to += targetStride;
  }
}

export function gatherThree8(
  source: BigInt64Array,
  sourceAt: number,
  table: Int32Array,
  scale: number,
  first: number,
  target: BigInt64Array,
  targetAt: number,
  targetStride: number,
  count: number,
): void {
  let to = targetAt;
  const end = first + count;
  for (let block = first; block < end; block++) {
    const from = sourceAt + (table[block] as number) * scale;
    target[to] = source[from] as bigint;
    target[to + 1] = source[from + 1] as bigint;
    target[to + 2] = source[from + 2] as bigint;
    to += targetStride;
  }
}

export function gatherMany8(
  source: BigInt64Array,
  sourceAt: number,
  table: Int32Array,
  scale: number,
  first: number,
  target: BigInt64Array,
  targetAt: number,
  targetStride: number,
  count: number,
  words: number,
): void {
  let to = targetAt;
  const end = first + count;
  const unrolled = words - 3;
  for (let block = first; block < end; block++) {
    const from = sourceAt + (table[block] as number) * scale;
    let i = 0;
    for (; i < unrolled; i += 4) {
      target[to + i] = source[from + i] as bigint;
      target[to + i + 1] = source[from + i + 1] as bigint;
      target[to + i + 2] = source[from + i + 2] as bigint;
      target[to + i + 3] = source[from + i + 3] as bigint;
    }
    for (; i < words; i++) target[to + i] = source[from + i] as bigint;
    to += targetStride;
  }
}
