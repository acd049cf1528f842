import fc from "fast-check";
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
  PREDEFINED_NAMES,
  resized,
  struct,
  subarray,
  vector,
  type Datatype,
  type Distribution,
} from "../../src/index.js";

const small = fc.nat(3);
const place = fc.integer({ min: -9, max: 9 });
const placeBytes = fc.integer({ min: -70, max: 70 });
const order = fc.constantFrom("C" as const, "F" as const);
const lists = fc.array(fc.tuple(small, place, placeBytes), { maxLength: 4 });

const dimension = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.nat(3), fc.nat(3))
  .map(([size, a, b]) => ({ size, subsize: 1 + (a % size), start: b % (size - (a % size)) }));

const dealt = fc
  .record({
    gsize: fc.integer({ min: 1, max: 6 }),
    psize: fc.integer({ min: 1, max: 3 }),
    distribution: fc.constantFrom<Distribution>("block", "cyclic", "none"),
    darg: fc.option(fc.integer({ min: 1, max: 4 })),
  })
  .map(({ gsize, psize, distribution, darg }) => ({
    gsize,
    psize: distribution === "none" ? 1 : psize,
    distribution,
    darg: distribution === "block" && darg !== null ? Math.max(darg, Math.ceil(gsize / psize)) : darg,
  }));

/** Small datatypes of every constructor, nested: zero counts, overlaps, negative strides and extents among them. */
export function anyDatatype(): fc.Arbitrary<Datatype> {
  return fc.letrec<{ type: Datatype }>((tie) => {
    const child = tie("type");
    return {
      type: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        fc.constantFrom(...PREDEFINED_NAMES).map((name) => predefined(name)),
        fc.tuple(small, child).map(([count, of]) => contiguous(count, of)),
        fc.tuple(small, small, place, child).map(([count, length, stride, of]) => vector(count, length, stride, of)),
        fc.tuple(small, small, placeBytes, child).map(([n, length, stride, of]) => hvector(n, length, stride, of)),
        fc.tuple(lists, child).map(([rows, of]) =>
          indexed(
            rows.map(([n]) => n),
            rows.map(([, at]) => at),
            of,
          ),
        ),
        fc.tuple(lists, child).map(([rows, of]) =>
          hindexed(
            rows.map(([n]) => n),
            rows.map(([, , at]) => at),
            of,
          ),
        ),
        fc.tuple(small, lists, child).map(([n, rows, of]) =>
          indexedBlock(
            n,
            rows.map(([, at]) => at),
            of,
          ),
        ),
        fc.tuple(small, lists, child).map(([n, rows, of]) =>
          hindexedBlock(
            n,
            rows.map(([, , at]) => at),
            of,
          ),
        ),
        fc.array(fc.tuple(small, placeBytes, child), { maxLength: 3 }).map((rows) =>
          struct(
            rows.map(([n]) => n),
            rows.map(([, at]) => at),
            rows.map(([, , of]) => of),
          ),
        ),
        fc.tuple(fc.array(dimension, { minLength: 1, maxLength: 3 }), order, child).map(([dimensions, along, of]) =>
          subarray({
            sizes: dimensions.map(({ size }) => size),
            subsizes: dimensions.map(({ subsize }) => subsize),
            starts: dimensions.map(({ start }) => start),
            order: along,
            child: of,
          }),
        ),
        fc
          .tuple(fc.array(dealt, { minLength: 1, maxLength: 2 }), fc.nat(8), order, child)
          .map(([dimensions, rank, along, of]) => {
            const size = dimensions.reduce((product, { psize }) => product * psize, 1);
            return darray({
              size,
              rank: rank % size,
              gsizes: dimensions.map(({ gsize }) => gsize),
              distribs: dimensions.map(({ distribution }) => distribution),
              dargs: dimensions.map(({ darg }) => darg),
              psizes: dimensions.map(({ psize }) => psize),
              order: along,
              child: of,
            });
          }),
        fc.tuple(placeBytes, placeBytes, child).map(([lb, extent, of]) => resized(lb, extent, of)),
        child.map((of) => dup(of)),
      ),
    };
  }).type;
}
