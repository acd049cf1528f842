import { hindexed, hvector, resized, contiguous, struct, type Datatype } from "@stowage/ir";
import * as fc from "fast-check";
import { spaced } from "./fitting.js";
import type { Limits } from "./options.js";

/** Distances of which 32-bit arithmetic keeps only the low half, and what is left looks harmless. */
const FAR_BYTES = [2 ** 32, 2 ** 33 + 64, 2 ** 40 + 4096, 2 ** 31 + 2 ** 20, 2 ** 44];

const farBytes = fc.tuple(fc.constantFrom(...FAR_BYTES), fc.constantFrom(1, -1)).map(([bytes, way]) => bytes * way);
const copies = fc.integer({ min: 2, max: 3 });

/** A few ordinary datatypes, more than 2^31 bytes from one another. */
export function scatteredFar(near: fc.Arbitrary<Datatype>, limits: Limits): fc.Arbitrary<Datatype> {
  const parts = fc.oneof(
    fc.tuple(near, copies, farBytes).map(([type, count, bytes]) => hvector(count, 1, bytes, type)),
    fc.tuple(near, copies, farBytes).map(([type, count, bytes]) => contiguous(count, resized(0, bytes, type))),
    fc.tuple(near, near, farBytes).map(([type, other, bytes]) => struct([1, 1], [bytes, 0], [type, other])),
    fc.tuple(near, farBytes, farBytes).map(([type, bytes, other]) => {
      return hindexed([1, 1, 1], [bytes, 0, 3 * other], type);
    }),
  );
  return parts.map((type) => spaced(type, limits));
}
