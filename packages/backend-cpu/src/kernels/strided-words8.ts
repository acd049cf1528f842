// Written by scripts/cpu-kernels.mjs.
/* Blocks a stride apart on both sides, by words of 8 bytes: of one, two, three and any number of words. */

export function stridedOne8(
  source: BigInt64Array,
  sourceAt: number,
  sourceStride: number,
  target: BigInt64Array,
  targetAt: number,
  targetStride: number,
  count: number,
): void {
  let from = sourceAt;
  let to = targetAt;
  let block = 0;
  for (; block < count - 7; block += 8) {
    target[to] = source[from] as bigint;
    from += sourceStride;
    to += targetStride;
    target[to] = source[from] as bigint;
    from += sourceStride;
    to += targetStride;
    target[to] = source[from] as bigint;
    from += sourceStride;
    to += targetStride;
    target[to] = source[from] as bigint;
    from += sourceStride;
    to += targetStride;
    target[to] = source[from] as bigint;
    from += sourceStride;
    to += targetStride;
    target[to] = source[from] as bigint;
    from += sourceStride;
    to += targetStride;
    target[to] = source[from] as bigint;
    from += sourceStride;
    to += targetStride;
    target[to] = source[from] as bigint;
    from += sourceStride;
    to += targetStride;
  }
  for (; block < count; block++) {
    target[to] = source[from] as bigint;
    from += sourceStride;
    to += targetStride;
  }
}

export function stridedTwo8(
  source: BigInt64Array,
  sourceAt: number,
  sourceStride: number,
  target: BigInt64Array,
  targetAt: number,
  targetStride: number,
  count: number,
): void {
  let from = sourceAt;
  let to = targetAt;
  let block = 0;
  for (; block < count - 3; block += 4) {
    target[to] = source[from] as bigint;
    target[to + 1] = source[from + 1] as bigint;
    from += sourceStride;
    to += targetStride;
    target[to] = source[from] as bigint;
    target[to + 1] = source[from + 1] as bigint;
    from += sourceStride;
    to += targetStride;
    target[to] = source[from] as bigint;
    target[to + 1] = source[from + 1] as bigint;
    from += sourceStride;
    to += targetStride;
    target[to] = source[from] as bigint;
    target[to + 1] = source[from + 1] as bigint;
    from += sourceStride;
    to += targetStride;
  }
  for (; block < count; block++) {
    target[to] = source[from] as bigint;
    target[to + 1] = source[from + 1] as bigint;
    from += sourceStride;
    to += targetStride;
  }
}

export function stridedThree8(
  source: BigInt64Array,
  sourceAt: number,
  sourceStride: number,
  target: BigInt64Array,
  targetAt: number,
  targetStride: number,
  count: number,
): void {
  let from = sourceAt;
  let to = targetAt;
  let block = 0;
  for (; block < count - 1; block += 2) {
    target[to] = source[from] as bigint;
    target[to + 1] = source[from + 1] as bigint;
    target[to + 2] = source[from + 2] as bigint;
    from += sourceStride;
    to += targetStride;
    target[to] = source[from] as bigint;
    target[to + 1] = source[from + 1] as bigint;
    target[to + 2] = source[from + 2] as bigint;
    from += sourceStride;
    to += targetStride;
  }
  for (; block < count; block++) {
    target[to] = source[from] as bigint;
    target[to + 1] = source[from + 1] as bigint;
    target[to + 2] = source[from + 2] as bigint;
    from += sourceStride;
    to += targetStride;
  }
}

export function stridedMany8(
  source: BigInt64Array,
  sourceAt: number,
  sourceStride: number,
  target: BigInt64Array,
  targetAt: number,
  targetStride: number,
  count: number,
  words: number,
): void {
  let from = sourceAt;
  let to = targetAt;
  let block = 0;
  for (; block < count; block++) {
    let i = 0;
    for (; i < words - 7; i += 8) {
      target[to + i] = source[from + i] as bigint;
      target[to + i + 1] = source[from + i + 1] as bigint;
      target[to + i + 2] = source[from + i + 2] as bigint;
      target[to + i + 3] = source[from + i + 3] as bigint;
      target[to + i + 4] = source[from + i + 4] as bigint;
      target[to + i + 5] = source[from + i + 5] as bigint;
      target[to + i + 6] = source[from + i + 6] as bigint;
      target[to + i + 7] = source[from + i + 7] as bigint;
    }
    if (i < words - 3) {
      target[to + i] = source[from + i] as bigint;
      target[to + i + 1] = source[from + i + 1] as bigint;
      target[to + i + 2] = source[from + i + 2] as bigint;
      target[to + i + 3] = source[from + i + 3] as bigint;
      i += 4;
    }
    for (; i < words; i++) target[to + i] = source[from + i] as bigint;
    from += sourceStride;
    to += targetStride;
  }
}
