import { expect, test } from "vitest";
import { faultInJson, placeInJson } from "../../src/document/place-in-json.js";

const TEXT = `{"kind": "struct", "blocklengths": [1, 2], "displacements": [0, 8],
  "children": ["MPI_INT", {"kind": "vector", "count": -3, "child": "MPI_INT"}]}`;

const at = (path: string): string => {
  const { from, to } = placeInJson(TEXT, path);
  return TEXT.slice(from, to);
};

test("a path leads to its value", () => {
  expect(at("type.children[1].count")).toBe("-3");
  expect(at("type.displacements")).toBe("[0, 8]");
  expect(at("type.blocklengths[1]")).toBe("2");
  expect(at("type.children[0]")).toBe('"MPI_INT"');
});

test("a path to nothing leads to the value around it", () => {
  expect(at("type.children[1].stride")).toBe('{"kind": "vector", "count": -3, "child": "MPI_INT"}');
  expect(at("type")).toBe(TEXT);
});

test.each([
  ['{"kind": }', "}"],
  ['{"kind": "vector", "count": 3', "3"],
  ['{"kind" "vector"}', '"vector"'],
  ["[1, 2] 3", "3"],
  ["", ""],
])("%s stops being JSON at %s", (text, token) => {
  const { from, to } = faultInJson(text);
  expect(text.slice(from, to)).toBe(token);
});
