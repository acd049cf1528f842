import fc from "fast-check";
import { expect, test } from "vitest";
import { elementDigest, EMPTY_DIGEST, joinedDigest, repeatedDigest, type Digest } from "../../src/signature/digest.js";

const PRIMES = [67108859n, 67108837n, 67108819n, 67108777n];
const names = fc.array(fc.constantFrom("MPI_INT", "MPI_DOUBLE", "MPI_CHAR"), { maxLength: 12 });
const digestOf = (word: readonly string[]): Digest => word.map(elementDigest).reduce(joinedDigest, EMPTY_DIGEST);

/** The digest's polynomial in arbitrary precision. */
function exactHash(word: readonly string[]): readonly number[] {
  return PRIMES.map((prime, lane) => {
    const base = BigInt(elementDigest("").power[lane] ?? 0);
    const codes = word.map((name) => BigInt(elementDigest(name).hash[lane] ?? 0));
    return Number(codes.reduce((hash, code) => (hash * base + code) % prime, 0n));
  });
}

test("the digest of a join is the polynomial of the joined sequence", () => {
  fc.assert(
    fc.property(names, names, (a, b) => {
      expect(joinedDigest(digestOf(a), digestOf(b)).hash).toEqual(exactHash([...a, ...b]));
    }),
  );
});

test("the digest of a repeat is that of the sequence written out", () => {
  fc.assert(
    fc.property(names, fc.nat(20), (word, count) => {
      const written = Array.from({ length: count }, () => word).flat();
      expect(repeatedDigest(digestOf(word), count)).toEqual(digestOf(written));
    }),
  );
});

test("repeats of repeats multiply, far beyond 2^32", () => {
  const digest = digestOf(["MPI_INT", "MPI_DOUBLE"]);
  expect(repeatedDigest(repeatedDigest(digest, 2 ** 20 + 3), 2 ** 30 + 1)).toEqual(
    repeatedDigest(digest, (2 ** 20 + 3) * (2 ** 30 + 1)),
  );
});
