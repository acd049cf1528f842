import { existsSync, readFileSync } from "node:fs";
import { boundsOf, parseDatatype, printDatatype, type DatatypeDocument } from "@stowage/ir";
import { describe, expect, test } from "vitest";
import { workload, workloadNames } from "../../src/index.js";
import { hashOf, shapeOf } from "./shape.js";

interface CorpusLine {
  readonly name: string;
  readonly index: number;
  readonly size: number;
  readonly type: DatatypeDocument;
}

const CORPUS = new URL("../../../../../shared/corpus/ddtbench.jsonl", import.meta.url);
const EXPECTED = new URL("./shapes.json", import.meta.url);

const names = workloadNames("ddtbench");
const documentOf = (name: string): DatatypeDocument => printDatatype(workload(name).datatype);

describe("DDTBench datatypes are what the benchmark commits", () => {
  const expected = JSON.parse(readFileSync(EXPECTED, "utf8")) as Record<string, { size: number; hash: string }>;

  test("there are 89 of them", () => {
    expect(names).toHaveLength(89);
    expect(Object.keys(expected).sort()).toEqual([...names].sort());
  });

  test.each(names)("%s has the committed size and hash", (name) => {
    const { datatype, count, packedBytes } = workload(name);
    const { sizeBytes } = boundsOf(datatype);
    expect({ size: sizeBytes, hash: hashOf(shapeOf(documentOf(name))) }).toEqual(expected[name]);
    expect(count * sizeBytes).toBe(packedBytes);
  });
});

const corpusIsHere = existsSync(CORPUS);

describe(`DDTBench datatypes equal the corpus${corpusIsHere ? "" : ` (SKIPPED: no ${CORPUS.pathname})`}`, () => {
  const lines = corpusIsHere ? readFileSync(CORPUS, "utf8").trim().split("\n") : [];
  const corpus = lines.map((line) => JSON.parse(line) as CorpusLine);

  test.skipIf(!corpusIsHere)("the corpus holds the same names", () => {
    expect(corpus.map(({ name, index }) => `${name}/${index}`).sort()).toEqual([...names].sort());
  });

  for (const { name, index, size, type } of corpus) {
    test(`${name}/${index}`, () => {
      const ours = workload(`${name}/${index}`).datatype;
      expect(shapeOf(printDatatype(ours))).toEqual(shapeOf(printDatatype(parseDatatype(type))));
      expect(boundsOf(ours).sizeBytes).toBe(size);
    });
  }
});
