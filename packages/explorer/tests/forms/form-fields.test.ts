import { parseDatatype } from "@stowage/ir";
import { expect, test } from "vitest";
import {
  depthOf,
  fieldText,
  fieldValue,
  FORM_KINDS,
  isObject,
  withKind,
  withMember,
  withoutMember,
} from "../../src/forms/form-fields.js";
import { goldenTexts } from "../golden-texts.js";

test("any kind can be chosen over any other, and is a datatype", () => {
  for (const kind of FORM_KINDS) for (const to of FORM_KINDS) parseDatatype(withKind(withKind("MPI_INT", kind), to));
});

test("the depth of a document is that of its deepest child", () => {
  const deep = Array.from({ length: 20_000 }).reduce<unknown>((child) => ({ kind: "dup", child }), "MPI_INT");
  expect(["MPI_INT", { kind: "dup", child: "MPI_INT" }, deep].map(depthOf)).toEqual([0, 1, 20_000]);
  expect(depthOf({ kind: "struct", children: ["MPI_INT", { kind: "dup", child: { kind: "dup", child: 1 } }] })).toBe(3);
});

test("the fields of every golden document survive being shown and read", () => {
  for (const text of goldenTexts()) {
    const document: unknown = JSON.parse(text);
    if (!isObject(document)) continue;
    for (const [name, value] of Object.entries(document))
      if (!["kind", "child", "children"].includes(name)) expect(fieldValue(fieldText(value), value)).toEqual(value);
  }
});

test("members come and go", () => {
  const one = withKind("MPI_INT", "struct");
  if (!isObject(one)) throw new TypeError("expected an object");
  const two = withMember(one);
  expect(two).toEqual({
    kind: "struct",
    blocklengths: [1, 1],
    displacements: [0, 8],
    children: ["MPI_INT", "MPI_INT"],
  });
  expect(withoutMember(two, 1)).toEqual(one);
});
