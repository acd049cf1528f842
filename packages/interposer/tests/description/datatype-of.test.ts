import { anyDatatype } from "@stowage/arbitraries";
import { describeType } from "@stowage/backend-api";
import { canonicalise, contiguous, lower, predefined, sameLayout } from "@stowage/ir";
import fc from "fast-check";
import { expect, test } from "vitest";
import { datatypeOf } from "../../src/index.js";

const seed = Number(process.env["STOWAGE_SEED"] ?? Date.now() % 2 ** 31);

test.each(["standard", "open-mpi", "mpich"] as const)(
  `a description keeps the layout, by %s (seed ${seed})`,
  (bounds) => {
    fc.assert(
      fc.property(anyDatatype(), (type) => {
        const read = lower(datatypeOf(describeType(type, { bounds })));
        expect(sameLayout(canonicalise(read), canonicalise(lower(type, { bounds })))).toBe(true);
      }),
      { numRuns: 200, seed },
    );
  },
);

/**
 * A predefined type as a C program describes it: how many words follow, combiner 0, bounds, the letters, two empty
 * lists.
 */
function named(name: string, extent: number): Uint8Array {
  const letters = Array.from(name, (letter) => letter.charCodeAt(0));
  const words = [6 + letters.length, 0, 0, extent, letters.length, ...letters, 0, 0];
  return new Uint8Array(BigInt64Array.from(words, BigInt).buffer);
}

test("Fortran's predefined types are as many bytes as the MPI says", () => {
  expect(datatypeOf(named("MPI_DOUBLE_PRECISION", 8))).toEqual(contiguous(8, predefined("MPI_BYTE")));
  expect(datatypeOf(named("MPI_2REAL", 8))).toEqual(contiguous(8, predefined("MPI_BYTE")));
  expect(datatypeOf(named("MPI_INTEGER4", 4))).toEqual(contiguous(4, predefined("MPI_BYTE")));
});

test.each([
  ["no node", new Uint8Array(0), /expected at least one node, got none/],
  ["half a word", named("MPI_INT", 4).subarray(1), /expected words of 8 bytes/],
  ["a cut node", named("MPI_INT", 4).subarray(0, -8), /expected whole nodes/],
  ["a type of no table", named("MPI_LB", 0), /predefined types of C or Fortran, got "MPI_LB"/],
  ["another combiner", new Uint8Array(BigInt64Array.of(6n, 99n, 0n, 0n, 0n, 0n, 0n).buffer), /known combiner, got 99/],
  [
    "a child that comes later",
    new Uint8Array(BigInt64Array.of(7n, 12n, 0n, 4n, 0n, 0n, 1n, 5n).buffer),
    /children before their parents/,
  ],
  ["a list without an end", new Uint8Array(BigInt64Array.of(6n, 1n, 0n, 0n, 9n, 0n, 0n).buffer), /a list within it/],
])("%s is refused in one line", (_what, bytes, message) => {
  expect(() => datatypeOf(bytes)).toThrow(message);
});
