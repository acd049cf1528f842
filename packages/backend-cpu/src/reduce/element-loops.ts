import type { Combine } from "./combine.js";

/**
 * Combines `lengthBytes` of elements that arrive at `from` with those at `at`, in order. One loop for each element: an
 * engine then reads and writes it by instructions of its own.
 */
export type CombineRun = (target: DataView, at: number, source: DataView, from: number, lengthBytes: number) => void;

export const int8 =
  (combine: Combine<number>): CombineRun =>
  (target, at, source, from, lengthBytes) => {
    for (let i = 0; i < lengthBytes; i += 1) {
      const there = target.getInt8(at + i);
      target.setInt8(at + i, combine(source.getInt8(from + i), there));
    }
  };

export const uint8 =
  (combine: Combine<number>): CombineRun =>
  (target, at, source, from, lengthBytes) => {
    for (let i = 0; i < lengthBytes; i += 1) {
      const there = target.getUint8(at + i);
      target.setUint8(at + i, combine(source.getUint8(from + i), there));
    }
  };

export const int16 =
  (combine: Combine<number>): CombineRun =>
  (target, at, source, from, lengthBytes) => {
    for (let i = 0; i < lengthBytes; i += 2) {
      const there = target.getInt16(at + i, true);
      target.setInt16(at + i, combine(source.getInt16(from + i, true), there), true);
    }
  };

export const uint16 =
  (combine: Combine<number>): CombineRun =>
  (target, at, source, from, lengthBytes) => {
    for (let i = 0; i < lengthBytes; i += 2) {
      const there = target.getUint16(at + i, true);
      target.setUint16(at + i, combine(source.getUint16(from + i, true), there), true);
    }
  };

export const int32 =
  (combine: Combine<number>): CombineRun =>
  (target, at, source, from, lengthBytes) => {
    for (let i = 0; i < lengthBytes; i += 4) {
      const there = target.getInt32(at + i, true);
      target.setInt32(at + i, combine(source.getInt32(from + i, true), there), true);
    }
  };

export const uint32 =
  (combine: Combine<number>): CombineRun =>
  (target, at, source, from, lengthBytes) => {
    for (let i = 0; i < lengthBytes; i += 4) {
      const there = target.getUint32(at + i, true);
      target.setUint32(at + i, combine(source.getUint32(from + i, true), there), true);
    }
  };

export const int64 =
  (combine: Combine<bigint>): CombineRun =>
  (target, at, source, from, lengthBytes) => {
    for (let i = 0; i < lengthBytes; i += 8) {
      const there = target.getBigInt64(at + i, true);
      target.setBigInt64(at + i, combine(source.getBigInt64(from + i, true), there), true);
    }
  };

export const uint64 =
  (combine: Combine<bigint>): CombineRun =>
  (target, at, source, from, lengthBytes) => {
    for (let i = 0; i < lengthBytes; i += 8) {
      const there = target.getBigUint64(at + i, true);
      target.setBigUint64(at + i, combine(source.getBigUint64(from + i, true), there), true);
    }
  };

export const float32 =
  (combine: Combine<number>): CombineRun =>
  (target, at, source, from, lengthBytes) => {
    for (let i = 0; i < lengthBytes; i += 4) {
      const there = target.getFloat32(at + i, true);
      target.setFloat32(at + i, combine(source.getFloat32(from + i, true), there), true);
    }
  };

export const float64 =
  (combine: Combine<number>): CombineRun =>
  (target, at, source, from, lengthBytes) => {
    for (let i = 0; i < lengthBytes; i += 8) {
      const there = target.getFloat64(at + i, true);
      target.setFloat64(at + i, combine(source.getFloat64(from + i, true), there), true);
    }
  };

/** Writes only what displaces the number that is there: no NaN passes through here, and none changes its bits. */
export const ordered32 =
  (wins: (arriving: number, there: number) => boolean): CombineRun =>
  (target, at, source, from, lengthBytes) => {
    for (let i = 0; i < lengthBytes; i += 4) {
      const arriving = source.getFloat32(from + i, true);
      if (wins(arriving, target.getFloat32(at + i, true))) target.setFloat32(at + i, arriving, true);
    }
  };

/** Writes only what displaces the number that is there: no NaN passes through here, and none changes its bits. */
export const ordered64 =
  (wins: (arriving: number, there: number) => boolean): CombineRun =>
  (target, at, source, from, lengthBytes) => {
    for (let i = 0; i < lengthBytes; i += 8) {
      const arriving = source.getFloat64(from + i, true);
      if (wins(arriving, target.getFloat64(at + i, true))) target.setFloat64(at + i, arriving, true);
    }
  };

/** (ac - bd) + (ad + bc)i, every step rounded to the parts' precision. */
export const complexProduct64: CombineRun = (target, at, source, from, lengthBytes) => {
  const { fround } = Math;
  for (let i = 0; i < lengthBytes; i += 8) {
    const [a, b] = [source.getFloat32(from + i, true), source.getFloat32(from + i + 4, true)];
    const [c, d] = [target.getFloat32(at + i, true), target.getFloat32(at + i + 4, true)];
    target.setFloat32(at + i, fround(a * c) - fround(b * d), true);
    target.setFloat32(at + i + 4, fround(a * d) + fround(b * c), true);
  }
};

/** Products of complex numbers whose parts have 64 bits. */
export const complexProduct128: CombineRun = (target, at, source, from, lengthBytes) => {
  for (let i = 0; i < lengthBytes; i += 16) {
    const [a, b] = [source.getFloat64(from + i, true), source.getFloat64(from + i + 8, true)];
    const [c, d] = [target.getFloat64(at + i, true), target.getFloat64(at + i + 8, true)];
    target.setFloat64(at + i, a * c - b * d, true);
    target.setFloat64(at + i + 8, a * d + b * c, true);
  }
};
