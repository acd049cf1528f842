import { ArgumentError, indexedBlock, predefined, vector } from "@stowage/ir";
import { expect, test } from "vitest";
import { compileTypes } from "../src/index.js";

const column = vector(3, 1, 4, predefined("MPI_DOUBLE"));

test.each(["import", "class", "None", "ctypes", "os", "int", "namespace", "def", "Datatype"])(
  "a type is not called %s, which a language that it is declared in knows otherwise",
  (symbol) => {
    const options = { name: "types", target: "x86-64", language: "c" } as const;
    expect(() => compileTypes([{ symbol, datatype: column }], options)).toThrow(
      new ArgumentError("symbol", "a name that C, C++ and Python leave free", symbol),
    );
    expect(compileTypes([{ symbol: `${symbol}_`, datatype: column }], options).length).toBe(2);
  },
);

test.each([
  ["c", ".h"],
  ["c++", ".hpp"],
] as const)("a header in %s holds the beginning of a long document, and says how long it is", (language, ending) => {
  const places = Int32Array.from({ length: 20_000 }, (_, i) => 2 * i + (i % 3));
  const long = { symbol: "far", datatype: indexedBlock(1, places, predefined("MPI_INT")) };
  const files = compileTypes([long, { symbol: "near", datatype: column }], { name: "t", target: "x86-64", language });
  const text = new TextDecoder().decode(files.find((file) => file.ending === ending)?.bytes);
  const comments = text.split("\n").filter((line) => line.startsWith(" *") || line.startsWith("/*"));
  expect(comments.join("\n").length).toBeLessThan(10_000);
  expect(text).toMatch(/\.\.\. \(\d{6} characters of JSON in all\)/);
  expect(text).toContain(' * {"kind":"vector","count":3,"blocklength":1,"stride":4,"child":"MPI_DOUBLE"}');
});
