import { layout, lower, type Layout } from "@stowage/ir";
import * as fc from "fast-check";
import { anyDatatype } from "./any-datatype.js";
import { nodeTo } from "./any-node.js";
import { limitsOf, type DatatypeOptions, type Limits } from "./options.js";
import { fits } from "./shrink/fits.js";
import { shrinking } from "./shrink/shrinking.js";
import { smallerLayouts } from "./shrink/smaller-layouts.js";

/**
 * Generates any layout: those of datatypes as lowered, and those that only a program makes which builds layouts by
 * hand. Throws an ArgumentError for options that are none.
 */
export function anyLayout(options: DatatypeOptions = {}): fc.Arbitrary<Layout> {
  const limits = limitsOf(options);
  const drawn = fc.oneof(
    anyDatatype(options).map((datatype) => lower(datatype)),
    byHand(limits),
  );
  return shrinking(drawn, smallerLayouts, (smaller) => fits(smaller, limits));
}

function byHand(limits: Limits): fc.Arbitrary<Layout> {
  const offset = fc.integer({ min: -64, max: 64 });
  const root = nodeTo(Math.min(limits.depth, 3), limits);
  return fc
    .tuple(root, offset, offset, fc.nat({ max: 32 }), fc.constantFrom(1, -1))
    .map(([node, start, lower, gap, way]) => {
      const leastBytes = limits.disjoint ? node.highBytes - node.lowBytes : 0;
      return layout(start, node, { lowerBoundBytes: lower, extentBytes: way * (leastBytes + gap) });
    });
}
