import { anyDatatype } from "@stowage/arbitraries";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { contiguous, predefined, prefixHash, signatureOf, struct, vector } from "../../src/index.js";

const [int, double] = [predefined("MPI_INT"), predefined("MPI_DOUBLE")];

it("the hash of all elements is the signature's own", () => {
  fc.assert(
    fc.property(anyDatatype(), (datatype) => {
      const signature = signatureOf(datatype);
      expect(prefixHash({ signature, count: 1 }, signature.elements)).toBe(signature.hash);
    }),
    { numRuns: 100, seed: 7 },
  );
});

it("one sequence has one hash, however it is cut from a longer one", () => {
  const pair = signatureOf(struct([1, 2], [0, 8], [int, double]));
  const first = signatureOf(struct([1, 2, 1], [0, 8, 24], [int, double, int]));
  expect(prefixHash({ signature: pair, count: 3 }, 4)).toBe(first.hash);
  expect(prefixHash({ signature: signatureOf(vector(5, 2, 3, int)), count: 2 }, 7)).toBe(
    signatureOf(contiguous(7, int)).hash,
  );
  expect(prefixHash({ signature: pair, count: 3 }, 5)).not.toBe(prefixHash({ signature: first, count: 2 }, 5));
});

it("refuses more elements than there are", () => {
  expect(() => prefixHash({ signature: signatureOf(int), count: 2 }, 3)).toThrow(
    "elements of a prefix: expected at most 2, got 3",
  );
});
