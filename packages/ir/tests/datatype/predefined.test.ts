import { expect, test } from "vitest";
import { boundsOf, DatatypeError, lower, predefined, PREDEFINED_NAMES, type PredefinedName } from "../../src/index.js";

// C types of x86-64 Linux; the pair types' sizes and extents are those of struct { value; int }.
const pairs: readonly [PredefinedName, sizeBytes: number, extentBytes: number, trueExtentBytes: number][] = [
  ["MPI_DOUBLE_INT", 12, 16, 12],
  ["MPI_FLOAT_INT", 8, 8, 8],
  ["MPI_LONG_INT", 12, 16, 12],
  ["MPI_2INT", 8, 8, 8],
  ["MPI_SHORT_INT", 6, 8, 8],
  ["MPI_LONG_DOUBLE_INT", 20, 32, 20],
];

test.each(pairs)("%s packs %i bytes and its extent is %i", (name, sizeBytes, extentBytes, trueExtentBytes) => {
  expect(boundsOf(predefined(name))).toMatchObject({ sizeBytes, lowerBoundBytes: 0, extentBytes, trueExtentBytes });
});

test("MPI_SHORT_INT has a gap inside, the other pair types only at the end", () => {
  expect(lower(predefined("MPI_SHORT_INT")).root).toMatchObject({
    kind: "sequence",
    members: [
      { offsetBytes: 0, node: { kind: "dense", lengthBytes: 2 } },
      { offsetBytes: 4, node: { kind: "dense", lengthBytes: 4 } },
    ],
  });
  for (const [name, sizeBytes] of pairs.filter(([name]) => name !== "MPI_SHORT_INT")) {
    expect(lower(predefined(name)).root).toMatchObject({ kind: "dense", lengthBytes: sizeBytes });
  }
});

test("every other predefined type is one dense run as long as its extent", () => {
  const single = PREDEFINED_NAMES.filter((name) => !pairs.some(([pair]) => pair === name));
  expect(single).toHaveLength(38);
  for (const name of single) {
    const { sizeBytes, extentBytes } = boundsOf(predefined(name));
    expect(sizeBytes).toBe(extentBytes);
    expect(lower(predefined(name)).root).toMatchObject({ kind: "dense", lengthBytes: sizeBytes });
  }
});

test("complex types are aligned as their parts", () => {
  expect(boundsOf(predefined("MPI_C_DOUBLE_COMPLEX"))).toMatchObject({ sizeBytes: 16, alignmentBytes: 8 });
  expect(boundsOf(predefined("MPI_C_FLOAT_COMPLEX"))).toMatchObject({ sizeBytes: 8, alignmentBytes: 4 });
  expect(boundsOf(predefined("MPI_LONG_DOUBLE"))).toMatchObject({ sizeBytes: 16, alignmentBytes: 16 });
});

test("one name is always one node", () => {
  expect(predefined("MPI_INT")).toBe(predefined("MPI_INT"));
  expect(Object.isFrozen(predefined("MPI_INT"))).toBe(true);
});

test("a name that MPI does not have is refused, with the nearest it has", () => {
  const misspelt: string = "MPI_DUOBLE";
  expect(() => predefined(misspelt as PredefinedName)).toThrow(DatatypeError);
  expect(() => predefined(misspelt as PredefinedName)).toThrow("did you mean MPI_DOUBLE?");
});
