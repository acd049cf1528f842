import { divideInParts, type Builder, type Value } from "@stowage/ptx";
import { dimensionField, FIELD } from "../record-fields.js";
import type { Shape } from "../shape.js";

/** Reads a field of the move's record: 64 bits, or the low 32 in narrow kernels. */
export type ReadField = (field: number, bits: 32 | 64) => Value;

/** Loaded once a tile: what turns the number of a word into its place on the scattered side. */
export interface Places {
  /** The byte offset of a word, from the scattered side's start; s64. */
  offsetOf(word: Value): Value;
}

/**
 * word = x + rowWords (i1 + n1 (i2 + n2 i3 ...)); offset = W x + s1 i1 + s2 i2 + ... Division is a multiply-high by
 * parameters. Narrow kernels count in 32 bits and multiply 32 by 32 into 64.
 */
export function placesOf(builder: Builder, shape: Shape, read: ReadField): Places {
  const { wordBytes, dimensions, unitRows, wide } = shape;
  const bits = wide ? 64 : 32;
  const divider = (divisor: Value, multiplier: Value, shift: Value) => (n: Value) =>
    divideInParts(n, divisor, { multiplier, shift });
  const scale = (index: Value, stride: Value, sum: Value | undefined): Value => {
    if (wide) return sum === undefined ? index.to("s64").mul(stride) : index.to("s64").mulAdd(stride, sum);
    return sum === undefined ? index.to("s32").mulWide(stride) : index.to("s32").mulAddWide(stride, sum);
  };
  const signed = wide ? "s64" : "s32";
  const splitRow =
    dimensions === 0 || unitRows
      ? undefined
      : divider(read(FIELD.rowWords, bits), read(FIELD.rowMultiplier, bits), read(FIELD.rowShift, 32));
  const outer = Array.from({ length: dimensions }, (_, i) => {
    const stride = read(dimensionField(i, "stride"), bits).to(signed);
    if (i === dimensions - 1) return { stride };
    const [count, multiplier] = [read(dimensionField(i, "count"), bits), read(dimensionField(i, "multiplier"), bits)];
    return { stride, split: divider(count, multiplier, read(dimensionField(i, "shift"), 32)) };
  });
  const word = builder.constant(signed, wordBytes);
  return {
    offsetOf(index) {
      let sum: Value | undefined;
      let rest = index;
      if (dimensions === 0) return scale(index, word, undefined);
      if (splitRow !== undefined) {
        const split = splitRow(index);
        sum = scale(split.rest, word, undefined);
        rest = split.quotient;
      }
      for (const { stride, split } of outer) {
        const parts = split?.(rest);
        sum = scale(parts?.rest ?? rest, stride, sum);
        rest = parts?.quotient ?? rest;
      }
      return sum ?? builder.constant("s64", 0);
    },
  };
}
