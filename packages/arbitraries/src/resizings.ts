import { boundsOf, dup, resized } from "@stowage/ir";
import * as fc from "fast-check";
import type { Limits, Wrapper } from "./options.js";

const lowerBoundBytes = fc.integer({ min: -24, max: 24 });

/** Extents of both signs: any where elements may overlap, else as long as the bytes inside or longer. */
export function anyResized({ disjoint }: Limits): fc.Arbitrary<Wrapper> {
  return fc.tuple(lowerBoundBytes, fc.integer({ min: -16, max: 48 })).map(([lower, bytes]) => (child) => {
    const least = disjoint ? boundsOf(child).trueExtentBytes : 0;
    return resized(lower, bytes < 0 ? bytes - least : bytes + least, child);
  });
}

export const anyDup: fc.Arbitrary<Wrapper> = fc.constant(dup);
