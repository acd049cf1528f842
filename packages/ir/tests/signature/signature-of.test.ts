import fc from "fast-check";
import { expect, test } from "vitest";
import {
  contiguous,
  hindexed,
  indexedBlock,
  predefined,
  printSignature,
  sameSignature,
  signatureOf,
  struct,
  vector,
  type Datatype,
  type SignatureNode,
} from "../../src/index.js";
import { anyDatatype } from "../datatype/any-datatype.js";
import { typeMap } from "../datatype/type-map.js";

const RUNS = { numRuns: 1_000 };
const INT = predefined("MPI_INT");
const DOUBLE = predefined("MPI_DOUBLE");
const smallDatatype = anyDatatype().filter((type) => signatureOf(type).elements <= 500);
const names = (type: Datatype): readonly string[] => typeMap(type).entries.map(({ basic }) => basic);

function expanded(node: SignatureNode): readonly string[] {
  switch (node.kind) {
    case "empty":
      return [];
    case "basic":
      return [node.name];
    case "repeat":
      return Array.from({ length: node.count }, () => expanded(node.child)).flat();
    case "pair":
      return [...expanded(node.first), ...expanded(node.second)];
  }
}

/** A datatype whose type signature is these names: runs of one type and of pairs of types, in a random bracketing. */
function bracketed(sequence: readonly ("MPI_INT" | "MPI_DOUBLE")[], cuts: readonly number[]): Datatype {
  const types = sequence.map((name) => predefined(name));
  const build = (from: number, to: number, cut: number): Datatype => {
    if (to - from === 1) return types[from] as Datatype;
    const half = from + 1 + ((cuts[cut % cuts.length] ?? 0) % (to - from - 1));
    return struct([1, 1], [0, 8 * (half - from)], [build(from, half, cut + 1), build(half, to, cut + 2)]);
  };
  return build(0, types.length, 0);
}

test("the signature is the basic types of the type map in order", () => {
  fc.assert(
    fc.property(smallDatatype, (type) => {
      expect(expanded(signatureOf(type).root)).toEqual(names(type));
    }),
    RUNS,
  );
});

test("two datatypes have the same signature just where their sequences of basic types are equal", () => {
  fc.assert(
    fc.property(smallDatatype, smallDatatype, (a, b) => {
      const equal = names(a).join() === names(b).join();
      expect(sameSignature(signatureOf(a), signatureOf(b))).toBe(equal);
      if (equal) expect(signatureOf(a).hash).toBe(signatureOf(b).hash);
    }),
    RUNS,
  );
});

test("the signature of a sequence is the same however it is bracketed, and another for another sequence", () => {
  const words = fc.array(fc.constantFrom("MPI_INT" as const, "MPI_DOUBLE" as const), { minLength: 2, maxLength: 24 });
  const cuts = fc.array(fc.nat(30), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(words, cuts, cuts, fc.nat(1_000), (word, left, right, at) => {
      const one = signatureOf(contiguous(6, bracketed(word, left)));
      expect(sameSignature(one, signatureOf(contiguous(3, contiguous(2, bracketed(word, right)))))).toBe(true);
      const changed = word.map((name, i) =>
        i !== at % word.length ? name : name === "MPI_INT" ? "MPI_DOUBLE" : "MPI_INT",
      );
      expect(sameSignature(one, signatureOf(contiguous(6, bracketed(changed, right))))).toBe(false);
    }),
    RUNS,
  );
});

test("nesting, constructors and displacements do not show in a signature", () => {
  const six = signatureOf(contiguous(6, INT));
  expect(sameSignature(six, signatureOf(contiguous(2, contiguous(3, INT))))).toBe(true);
  expect(sameSignature(six, signatureOf(vector(3, 2, 9, INT)))).toBe(true);
  expect(sameSignature(six, signatureOf(indexedBlock(2, [9, 0, 4], INT)))).toBe(true);
  expect(sameSignature(six, signatureOf(hindexed([5, 0, 1], [-3, 0, 77], INT)))).toBe(true);
  expect(sameSignature(six, signatureOf(contiguous(5, INT)))).toBe(false);
  expect(sameSignature(six, signatureOf(contiguous(6, predefined("MPI_FLOAT"))))).toBe(false);
});

test("synonyms are one type and pair types are their two entries", () => {
  const same = (a: Datatype, b: Datatype): boolean => sameSignature(signatureOf(a), signatureOf(b));
  expect(same(predefined("MPI_LONG_LONG"), predefined("MPI_LONG_LONG_INT"))).toBe(true);
  expect(same(predefined("MPI_C_COMPLEX"), predefined("MPI_C_FLOAT_COMPLEX"))).toBe(true);
  expect(same(predefined("MPI_DOUBLE_INT"), struct([1, 1], [0, 8], [DOUBLE, INT]))).toBe(true);
  expect(same(predefined("MPI_2INT"), contiguous(2, INT))).toBe(true);
  expect(same(predefined("MPI_INT"), predefined("MPI_INT32_T"))).toBe(false);
});

test("30 levels of shared pairs and 10,000 levels of nesting take linear time", () => {
  let shared: Datatype = struct([1, 1], [0, 8], [INT, DOUBLE]);
  for (let i = 0; i < 30; i++) shared = struct([1, 1, 1], [0, 0, 0], [shared, DOUBLE, shared]);
  const again = signatureOf(shared);
  expect(again.elements).toBe(2 ** 30 * 3 - 1);
  expect(sameSignature(again, signatureOf(shared))).toBe(true);

  const deep = (leaf: Datatype): Datatype => {
    let type = leaf;
    for (let i = 0; i < 10_000; i++) type = struct([1, 1], [0, 8], [INT, type]);
    return type;
  };
  expect(sameSignature(signatureOf(deep(INT)), signatureOf(deep(INT)))).toBe(true);
  expect(sameSignature(signatureOf(deep(INT)), signatureOf(deep(DOUBLE)))).toBe(false);
});

test("the printed form shows repeats and groups", () => {
  expect(printSignature(signatureOf(contiguous(3, struct([1, 2], [0, 8], [DOUBLE, INT]))))).toBe(
    "3 × (MPI_DOUBLE, 2 × MPI_INT)",
  );
  expect(printSignature(signatureOf(contiguous(0, INT)))).toBe("nothing");
  const alternating = struct([1, 1, 1, 1], [0, 8, 16, 24], [INT, DOUBLE, INT, DOUBLE]);
  expect(printSignature(signatureOf(alternating), 3)).toBe("MPI_INT, MPI_DOUBLE, MPI_INT, ...");
});
