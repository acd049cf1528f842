import { boundsOf, contiguous, dup, hindexed, lower, resized, vector, type Datatype } from "@stowage/ir";
import * as fc from "fast-check";
import { anyArray } from "./arrays.js";
import { fitting, spaced } from "./fitting.js";
import { anyLeaf } from "./leaves.js";
import { anyIndexed, anyStruct } from "./lists.js";
import { limitsOf, type DatatypeOptions, type Limits, type Wrapper } from "./options.js";
import { anyDup, anyResized } from "./resizings.js";
import { fits } from "./shrink/fits.js";
import { shrinking } from "./shrink/shrinking.js";
import { smallerDatatypes } from "./shrink/smaller-datatypes.js";
import { scatteredFar } from "./sparse.js";
import { anyStrided } from "./strided.js";

/** Levels of a datatype that nests deeper than any walk should recurse. */
const DEEP = { minLength: 20, maxLength: 200, size: "max" } as const;

/**
 * Generates any datatype that MPI can describe, small enough to check byte by byte: every constructor, any nesting,
 * negative strides and extents, blocks that are empty, overlap or come out of order, members that hold nothing. A
 * datatype that fails a property shrinks by constructors, to MPI_BYTE where that fails too. Throws an ArgumentError for
 * options that are none.
 *
 * @example
 * ```ts
 * fc.assert(fc.property(anyDatatype({ maxSizeBytes: 256 }), (datatype) => lower(datatype).sizeBytes <= 256));
 * ```
 */
export function anyDatatype(options: DatatypeOptions = {}): fc.Arbitrary<Datatype> {
  const limits = limitsOf(options);
  const trees = nestedTo(limits.depth, limits);
  const drawn = fc.oneof(
    { weight: 12, arbitrary: trees },
    { weight: 1, arbitrary: deeplyNested(nestedTo(1, limits), limits) },
    ...(limits.sparse ? [{ weight: 3, arbitrary: scatteredFar(nestedTo(2, limits), limits) }] : []),
  );
  return shrinking(drawn, smallerDatatypes, (type) => fits(lower(type), limits));
}

function nestedTo(depth: number, limits: Limits): fc.Arbitrary<Datatype> {
  let level = anyLeaf;
  for (let i = 0; i < depth; i++) level = oneLevel(level, limits);
  return level;
}

/** One more constructor around a child, or the child as it is. */
function oneLevel(child: fc.Arbitrary<Datatype>, limits: Limits): fc.Arbitrary<Datatype> {
  const wrappers = fc.oneof(
    { weight: 4, arbitrary: anyStrided(limits) },
    { weight: 4, arbitrary: anyIndexed(limits) },
    { weight: 2, arbitrary: anyArray },
    { weight: 2, arbitrary: anyResized(limits) },
    { weight: 1, arbitrary: anyDup },
  );
  const wrapped = fc.tuple(child, wrappers).map(([inner, wrap]) => fitting(wrap(inner), inner, limits));
  const structs = fc.tuple(anyLeaf, anyStruct(child, limits)).map(([leaf, type]) => fitting(type, leaf, limits));
  return fc.oneof(
    { weight: 1, arbitrary: child },
    { weight: 5, arbitrary: wrapped },
    { weight: 2, arbitrary: structs },
  );
}

/** Constructors that change nothing but the nesting, or the place by a byte. */
const SHELLS: readonly Wrapper[] = [
  dup,
  (child) => contiguous(1, child),
  (child) => vector(1, 1, 7, child),
  (child) => hindexed([1], [1], child),
  (child) => resized(-1, boundsOf(child).extentBytes, child),
];

function deeplyNested(core: fc.Arbitrary<Datatype>, limits: Limits): fc.Arbitrary<Datatype> {
  return fc
    .tuple(core, fc.array(fc.constantFrom(...SHELLS), DEEP))
    .map(([inner, shells]) => shells.reduce((child, wrap) => wrap(child), spaced(inner, limits)));
}
