import {
  contiguous,
  darray,
  dup,
  hindexed,
  hindexedBlock,
  hvector,
  indexed,
  indexedBlock,
  predefined,
  resized,
  struct,
  subarray,
  vector,
  type Datatype,
} from "@stowage/ir";
import * as fc from "fast-check";

const LEAVES = ["MPI_CHAR", "MPI_SHORT", "MPI_INT", "MPI_DOUBLE", "MPI_SHORT_INT", "MPI_LONG_DOUBLE"] as const;

/** Zero as often as not: what is empty, and how deep, is what these datatypes are about. */
const count = fc.constantFrom(0, 0, 1, 1, 2, 3);
const displacement = fc.integer({ min: -12, max: 28 });
const blocks = fc.array(fc.tuple(count, displacement), { maxLength: 3 });
const order = fc.constantFrom("C" as const, "F" as const);

/** Datatypes of every constructor, three deep, with empty ones at every depth. Half keep bytes in multiples of 16. */
export const withEmptyMembers: fc.Arbitrary<Datatype> = fc
  .constantFrom(1, 16)
  .chain((unitBytes) => nested(nested(nested(leaf(), unitBytes), unitBytes), unitBytes));

const leaf = (): fc.Arbitrary<Datatype> => fc.constantFrom(...LEAVES).map(predefined);

function nested(child: fc.Arbitrary<Datatype>, unitBytes: number): fc.Arbitrary<Datatype> {
  return fc.oneof(
    { weight: 1, arbitrary: child },
    { weight: 4, arbitrary: strided(child, unitBytes) },
    { weight: 4, arbitrary: listed(child, unitBytes) },
    { weight: 4, arbitrary: structs(child, unitBytes) },
    { weight: 3, arbitrary: bounded(child, unitBytes) },
  );
}

const strided = (child: fc.Arbitrary<Datatype>, unitBytes: number): fc.Arbitrary<Datatype> =>
  fc.oneof(
    fc.tuple(count, child).map(([n, inner]) => contiguous(n, inner)),
    fc.tuple(count, count, displacement, child).map((args) => vector(...args)),
    fc
      .tuple(count, count, displacement, child)
      .map(([n, length, at, inner]) => hvector(n, length, at * unitBytes, inner)),
    child.map(dup),
  );

const lengths = (list: readonly (readonly [number, number])[]): number[] => list.map(([length]) => length);
const places = (list: readonly (readonly [number, number])[], unit = 1): number[] => list.map(([, at]) => at * unit);

const listed = (child: fc.Arbitrary<Datatype>, unitBytes: number): fc.Arbitrary<Datatype> =>
  fc.oneof(
    fc.tuple(blocks, child).map(([list, inner]) => indexed(lengths(list), places(list), inner)),
    fc.tuple(blocks, child).map(([list, inner]) => hindexed(lengths(list), places(list, unitBytes), inner)),
    fc.tuple(count, blocks, child).map(([n, list, inner]) => indexedBlock(n, places(list), inner)),
    fc.tuple(count, blocks, child).map(([n, list, inner]) => hindexedBlock(n, places(list, unitBytes), inner)),
  );

const structs = (child: fc.Arbitrary<Datatype>, unitBytes: number): fc.Arbitrary<Datatype> =>
  fc.array(fc.tuple(count, displacement, child), { maxLength: 4 }).map((members) =>
    struct(
      members.map(([length]) => length),
      members.map(([, at]) => at * unitBytes),
      members.map(([, , inner]) => inner),
    ),
  );

/** Constructors that set bounds: their own, or the array's. */
const bounded = (child: fc.Arbitrary<Datatype>, unitBytes: number): fc.Arbitrary<Datatype> =>
  fc.oneof(
    fc
      .tuple(displacement, fc.integer({ min: -8, max: 40 }), child)
      .map(([lower, extent, inner]) => resized(lower * unitBytes, extent * unitBytes, inner)),
    fc
      .tuple(fc.integer({ min: 1, max: 4 }), fc.nat(3), fc.nat(3), order, child)
      .map(([size, low, high, along, inner]) => {
        const [start, end] = [Math.min(low, size - 1), Math.min(high, size - 1)].sort((a, b) => a - b) as [
          number,
          number,
        ];
        const box = { sizes: [size, 2], subsizes: [end - start + 1, 1], starts: [start, 1] };
        return subarray({ ...box, order: along, child: inner });
      }),
    fc
      .tuple(fc.integer({ min: 1, max: 3 }), fc.nat(2), fc.integer({ min: 1, max: 5 }), child)
      .map(([size, rank, elements, inner]) => {
        const grid = { size, rank: Math.min(rank, size - 1), psizes: [size] };
        return darray({ ...grid, gsizes: [elements], distribs: ["cyclic"], dargs: [null], order: "C", child: inner });
      }),
  );
