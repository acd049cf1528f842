// Written by scripts/cpu-kernels.mjs.
/*
 * Blocks of any length at any address, for sides that share no alignment: 4 bytes at a time through a DataView, then
 * what is left. Of its 8-byte accessors one is inexact for NaNs, and the other slow.
 */

export function stridedBytes(
  source: DataView,
  sourceAt: number,
  sourceStride: number,
  target: DataView,
  targetAt: number,
  targetStride: number,
  count: number,
  lengthBytes: number,
): void {
  let from = sourceAt;
  let to = targetAt;
  let block = 0;
  for (; block < count; block++) {
    let i = 0;
    for (; i < lengthBytes - 7; i += 8) {
      target.setInt32(to + i, source.getInt32(from + i, true), true);
      target.setInt32(to + i + 4, source.getInt32(from + i + 4, true), true);
    }
    if (i < lengthBytes - 3) {
      target.setInt32(to + i, source.getInt32(from + i, true), true);
      i += 4;
    }
    for (; i < lengthBytes; i++) target.setUint8(to + i, source.getUint8(from + i));
    from += sourceStride;
    to += targetStride;
  }
}

export function gatherBytes(
  source: DataView,
  sourceAt: number,
  table: Int32Array,
  scale: number,
  first: number,
  target: DataView,
  targetAt: number,
  targetStride: number,
  count: number,
  lengthBytes: number,
): void {
  let from = sourceAt;
  let to = targetAt;
  let block = first;
  const end = first + count;
  for (; block < end; block++) {
    from = sourceAt + (table[block] as number) * scale;
    let i = 0;
    for (; i < lengthBytes - 7; i += 8) {
      target.setInt32(to + i, source.getInt32(from + i, true), true);
      target.setInt32(to + i + 4, source.getInt32(from + i + 4, true), true);
    }
    if (i < lengthBytes - 3) {
      target.setInt32(to + i, source.getInt32(from + i, true), true);
      i += 4;
    }
    for (; i < lengthBytes; i++) target.setUint8(to + i, source.getUint8(from + i));
    to += targetStride;
  }
}

export function scatterBytes(
  source: DataView,
  sourceAt: number,
  sourceStride: number,
  target: DataView,
  targetAt: number,
  table: Int32Array,
  scale: number,
  first: number,
  count: number,
  lengthBytes: number,
): void {
  let from = sourceAt;
  let to = targetAt;
  let block = first;
  const end = first + count;
  for (; block < end; block++) {
    to = targetAt + (table[block] as number) * scale;
    let i = 0;
    for (; i < lengthBytes - 7; i += 8) {
      target.setInt32(to + i, source.getInt32(from + i, true), true);
      target.setInt32(to + i + 4, source.getInt32(from + i + 4, true), true);
    }
    if (i < lengthBytes - 3) {
      target.setInt32(to + i, source.getInt32(from + i, true), true);
      i += 4;
    }
    for (; i < lengthBytes; i++) target.setUint8(to + i, source.getUint8(from + i));
    from += sourceStride;
  }
}

/** Blocks of differing lengths into one run. */
export function gatherRunsBytes(
  source: DataView,
  sourceAt: number,
  table: Int32Array,
  lengths: Int32Array,
  scale: number,
  first: number,
  target: DataView,
  targetAt: number,
  count: number,
): void {
  let to = targetAt;
  const end = first + count;
  for (let block = first; block < end; block++) {
    const from = sourceAt + (table[block] as number) * scale;
    const lengthBytes = (lengths[block] as number) * scale;
    let i = 0;
    for (; i < lengthBytes - 7; i += 8) {
      target.setInt32(to + i, source.getInt32(from + i, true), true);
      target.setInt32(to + i + 4, source.getInt32(from + i + 4, true), true);
    }
    if (i < lengthBytes - 3) {
      target.setInt32(to + i, source.getInt32(from + i, true), true);
      i += 4;
    }
    for (; i < lengthBytes; i++) target.setUint8(to + i, source.getUint8(from + i));
    to += lengthBytes;
  }
}

/** One run into blocks of differing lengths. */
export function scatterRunsBytes(
  source: DataView,
  sourceAt: number,
  target: DataView,
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
    const lengthBytes = (lengths[block] as number) * scale;
    let i = 0;
    for (; i < lengthBytes - 7; i += 8) {
      target.setInt32(to + i, source.getInt32(from + i, true), true);
      target.setInt32(to + i + 4, source.getInt32(from + i + 4, true), true);
    }
    if (i < lengthBytes - 3) {
      target.setInt32(to + i, source.getInt32(from + i, true), true);
      i += 4;
    }
    for (; i < lengthBytes; i++) target.setUint8(to + i, source.getUint8(from + i));
    from += lengthBytes;
  }
}
