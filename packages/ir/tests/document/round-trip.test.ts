import fc from "fast-check";
import { expect, test } from "vitest";
import {
  dup,
  parseDatatype,
  parseDatatypeText,
  predefined,
  printDatatype,
  printDatatypeText,
  struct,
  type Datatype,
} from "../../src/index.js";
import { anyDatatype } from "../datatype/any-datatype.js";
import { goldens } from "../lower/golden.js";

test("a datatype's document parses to the same datatype", () => {
  fc.assert(
    fc.property(anyDatatype(), (type) => {
      expect(parseDatatype(printDatatype(type))).toEqual(type);
    }),
    { numRuns: 1_000 },
  );
});

test("every golden document prints back to itself, key by key", () => {
  for (const { type } of goldens) {
    expect(JSON.stringify(printDatatype(parseDatatype(type)))).toBe(JSON.stringify(type));
  }
});

test("the text of a datatype is the JSON of its document", () => {
  fc.assert(
    fc.property(anyDatatype(), (type) => {
      const text = printDatatypeText(type);
      expect(text).toBe(JSON.stringify(printDatatype(type)));
      expect(parseDatatypeText(text)).toEqual(type);
    }),
    { numRuns: 500 },
  );
});

test("a bare MPI name is a text too", () => {
  expect(parseDatatypeText(" MPI_DOUBLE\n")).toBe(predefined("MPI_DOUBLE"));
  expect(parseDatatypeText('"MPI_DOUBLE"')).toBe(predefined("MPI_DOUBLE"));
});

test("10,000 levels of nesting are read, printed and written", () => {
  let type: Datatype = predefined("MPI_INT");
  for (let i = 0; i < 10_000; i++) type = dup(type);
  const text = printDatatypeText(type);
  expect(text).toHaveLength(10_000 * '{"kind":"dup","child":}'.length + '"MPI_INT"'.length);
  expect(printDatatypeText(parseDatatypeText(text))).toBe(text);
});

test("shared parts stay shared, so that 30 doublings cost 30 nodes", () => {
  let type: Datatype = predefined("MPI_INT");
  for (let i = 0; i < 30; i++) type = struct([1, 1], [0, 0], [type, type]);
  const parsed = parseDatatype(printDatatype(type));
  expect(parsed.kind === "struct" && parsed.children[0] === parsed.children[1]).toBe(true);
  expect(() => printDatatypeText(type)).toThrow(/text of datatype: expected at most 2\^28 characters/);
});

test("a list of a million entries is read in one go", () => {
  const displacements = Array.from({ length: 1_000_000 }, (_, i) => 3 * i);
  const text = JSON.stringify({ kind: "indexed_block", blocklength: 1, displacements, child: "MPI_DOUBLE" });
  const type = parseDatatypeText(text);
  const read = type.kind === "indexed_block" ? type.displacements : undefined;
  expect(read).toBeInstanceOf(Int32Array);
  expect(read?.every((displacement, i) => displacement === displacements[i])).toBe(true);
});
