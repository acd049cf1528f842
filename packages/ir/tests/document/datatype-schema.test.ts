import { readFileSync } from "node:fs";

import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseDatatype, predefined, PREDEFINED_NAMES, printDatatype, type DatatypeDocument } from "../../src/index.js";
import { FIELDS } from "../../src/document/document.js";
import { anyDatatype } from "../datatype/any-datatype.js";

const schema = JSON.parse(readFileSync(new URL("../../datatype.schema.json", import.meta.url), "utf8")) as {
  $defs: Record<string, { enum?: string[] }>;
};
const isValid = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema);
const SEED = Number(process.env["STOWAGE_SEED"] ?? 4);

const VALID: readonly DatatypeDocument[] = [
  { kind: "contiguous", count: 3, child: "MPI_INT" },
  { kind: "vector", count: 3, blocklength: 1, stride: -2, child: "MPI_INT" },
  { kind: "hindexed", blocklengths: [1], displacements: [-8], child: "MPI_INT" },
  { kind: "indexed_block", blocklength: 1, displacements: [0, 3], child: "MPI_INT" },
  { kind: "struct", blocklengths: [1], displacements: [0], children: ["MPI_INT"] },
  { kind: "subarray", sizes: [4], subsizes: [2], starts: [1], order: "C", child: "MPI_INT" },
  {
    kind: "darray",
    size: 1,
    rank: 0,
    gsizes: [4],
    distribs: ["block"],
    dargs: [null],
    psizes: [1],
    order: "F",
    child: "MPI_INT",
  },
  { kind: "resized", lb: -4, extent: 32, child: "MPI_INT" },
  { kind: "dup", child: "MPI_INT" },
];

const parses = (document: unknown): boolean => {
  try {
    parseDatatype(document);
    return true;
  } catch {
    return false;
  }
};

test("the schema knows every predefined type and no other", () => {
  expect(schema.$defs["predefined"]?.enum).toEqual([...PREDEFINED_NAMES]);
  for (const name of PREDEFINED_NAMES) expect(isValid(printDatatype(predefined(name)))).toBe(true);
});

test("every document that a datatype prints as is valid", () => {
  const property = fc.property(anyDatatype(), (datatype) => {
    expect(isValid(printDatatype(datatype))).toBe(true);
  });
  fc.assert(property, { numRuns: 300, seed: SEED });
});

test.each(VALID.map((document) => [(document as { kind: keyof typeof FIELDS }).kind, document] as const))(
  "%s without a field, with one too many or a wrong one is refused by schema and parser alike",
  (kind, document) => {
    expect([isValid(document), parses(document)]).toEqual([true, true]);
    const fields = ["kind", ...FIELDS[kind]];
    const spoilt = fields.flatMap((field) => {
      const { [field]: _, ...rest } = document as unknown as Record<string, unknown>;
      return [rest, ...["three", {}, 0.5, [{}], [0.5], 2 ** 60].map((value) => ({ ...rest, [field]: value }))];
    });
    for (const each of [...spoilt, { ...(document as object), extra: 1 }]) {
      expect([isValid(each), parses(each), each]).toEqual([false, false, each]);
    }
  },
);
