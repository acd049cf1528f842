/**
 * Loops over 8-byte words. BigInt64Array, since it alone keeps every bit: an engine may change a NaN's payload on its way
 * through a Float64Array. Optimised loops hold no BigInt. One function a shape, none shared between widths: a loop that
 * has seen arrays of two types runs at a third of the speed.
 */
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
  for (let block = 0; block < count; block++) {
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
  for (let block = 0; block < count; block++) {
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
  for (let block = 0; block < count; block++) {
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
  const unrolled = words - 3;
  for (let block = 0; block < count; block++) {
    let i = 0;
    for (; i < unrolled; i += 4) {
      target[to + i] = source[from + i] as bigint;
      target[to + i + 1] = source[from + i + 1] as bigint;
      target[to + i + 2] = source[from + i + 2] as bigint;
      target[to + i + 3] = source[from + i + 3] as bigint;
    }
    for (; i < words; i++) target[to + i] = source[from + i] as bigint;
    from += sourceStride;
    to += targetStride;
  }
}
