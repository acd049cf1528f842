import { boundsOf, contiguous, hvector, vector } from "@stowage/ir";
import * as fc from "fast-check";
import type { Limits, Wrapper } from "./options.js";
import { spanOfCopies } from "./spans.js";

const count = fc.nat({ max: 4 });
const sign = fc.constantFrom(1, -1);

const anyContiguous: fc.Arbitrary<Wrapper> = count.map((n) => (child) => contiguous(n, child));

function anyVector({ disjoint }: Limits): fc.Arbitrary<Wrapper> {
  return fc.tuple(count, count, fc.nat({ max: 6 }), sign).map(([blocks, blocklength, gap, way]) => (child) => {
    const stride = way * (disjoint ? blocklength + gap : gap);
    return vector(blocks, blocklength, stride, child);
  });
}

function anyHvector({ disjoint }: Limits): fc.Arbitrary<Wrapper> {
  return fc.tuple(count, count, fc.nat({ max: 40 }), sign).map(([blocks, blocklength, gapBytes, way]) => (child) => {
    const { low, high } = spanOfCopies(child, blocklength);
    return hvector(blocks, blocklength, way * (disjoint ? high - low + gapBytes : gapBytes), child);
  });
}

/** One block, of one child, at a place of its own: what canonical forms like to forget. */
const anySingle: fc.Arbitrary<Wrapper> = fc
  .tuple(fc.integer({ min: -3, max: 3 }), fc.nat({ max: 3 }))
  .map(([strideInExtents, blocklength]) => (child) => {
    const strideBytes = strideInExtents * boundsOf(child).extentBytes + 1;
    return hvector(1, blocklength, strideBytes, child);
  });

export const anyStrided = (limits: Limits): fc.Arbitrary<Wrapper> =>
  fc.oneof(anyContiguous, anyVector(limits), anyHvector(limits), anySingle);
