import fc from "fast-check";
import { expect, test } from "vitest";
import { contiguous, predefined, signatureOf, struct, type Datatype, type SignatureNode } from "../../src/index.js";
import { compareSequences, type Comparison } from "../../src/signature/compare-sequences.js";
import { anyDatatype } from "../datatype/any-datatype.js";
import { typeMap } from "../datatype/type-map.js";

const INT = predefined("MPI_INT");
const DOUBLE = predefined("MPI_DOUBLE");
const packed = (...types: readonly Datatype[]): Datatype =>
  struct(
    types.map(() => 1),
    types.map(() => 0),
    types,
  );
const rootOf = (type: Datatype): SignatureNode => signatureOf(type).root;
const compared = (a: Datatype, b: Datatype): Comparison => {
  const [x, y] = [rootOf(a), rootOf(b)];
  return compareSequences(x, y, Math.min(x.elements, y.elements));
};
const EQUAL: Comparison = { differsAt: undefined, exact: true };

test("the first difference is that of the sequences written out", () => {
  const smallDatatype = anyDatatype().filter((type) => signatureOf(type).elements <= 300);
  fc.assert(
    fc.property(smallDatatype, smallDatatype, fc.nat(3), (a, b, count) => {
      const [x, y] = [typeMap(contiguous(count, a)).entries, typeMap(b).entries];
      const at = x.slice(0, y.length).findIndex(({ basic }, i) => basic !== y[i]?.basic);
      expect(compared(contiguous(count, a), b)).toEqual({ differsAt: at < 0 ? undefined : at, exact: true });
    }),
    { numRuns: 1_000 },
  );
});

test("huge repeats of different periods are proven equal", () => {
  const ab = packed(INT, DOUBLE);
  const long = contiguous(3 * 2 ** 40, ab);
  expect(compared(long, contiguous(3 * 2 ** 39, packed(INT, DOUBLE, INT, DOUBLE)))).toEqual(EQUAL);
  const threes = packed(packed(INT, DOUBLE, INT), packed(DOUBLE, INT, DOUBLE));
  expect(compared(long, contiguous(2 ** 40, threes))).toEqual(EQUAL);
  expect(compared(contiguous(2 ** 40, INT), contiguous(2 ** 20, packed(INT, contiguous(2 ** 20 - 1, INT))))).toEqual(
    EQUAL,
  );
});

test("one change deep inside a huge repeat is found where it is", () => {
  const ab = packed(INT, DOUBLE);
  const late = struct([2 ** 30, 1, 2 ** 10], [0, 0, 0], [ab, packed(INT, INT), ab]);
  expect(compared(contiguous(2 ** 31, ab), late)).toEqual({ differsAt: 2 ** 31 + 1, exact: true });
});

/** Repeats nested in two groupings of the same sequence: fours of x, or twos of twos. */
function nested(levels: number, inTwos: boolean): Datatype {
  let type: Datatype = INT;
  for (let i = 0; i < levels; i++) {
    const x: Datatype = type;
    const one = packed(x, DOUBLE);
    type = inTwos ? contiguous(2, packed(packed(one, x), DOUBLE)) : contiguous(4, one);
  }
  return type;
}

test("agreement is proven through eight levels of repeats in unlike groupings", () => {
  expect(compared(nested(8, false), nested(8, true))).toEqual(EQUAL);
});

test("agreement that takes too many steps to prove is told apart from proof", () => {
  const [x, y] = [rootOf(nested(8, false)), rootOf(nested(8, true))];
  expect(compareSequences(x, y, x.elements, 100)).toEqual({ differsAt: undefined, exact: false });
});
