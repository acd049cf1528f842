import { Ajv } from "ajv";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Results } from "../src/results/row.js";
import { parseResults, resultsJsonSchema } from "../src/results/schema.js";

const file = new URL("../results.schema.json", import.meta.url);
const shipped = JSON.parse(readFileSync(file, "utf8")) as object;

const valid: Results = {
  schema: "stowage-results/1",
  command: "npx stowage bench",
  date: "2026-11-22T10:00:00.000Z",
  commit: "abc",
  machine: { cpu: "AMD EPYC", cores: 2, gpu: null, driver: null, node: "v20.20.2" },
  rows: [
    {
      ...{ workload: "w", count: 1, packedBytes: 8, direction: "pack", route: "host", contender: "x64", mode: "call" },
      ...{ medianNs: 2, minNs: 1, maxNs: 3, runs: 7, verified: true, commitNs: 5, eventNs: 1, createNs: 0, freeNs: 0 },
    },
  ],
};

test("the schema that is shipped is the parser's", () => {
  expect(shipped).toEqual(JSON.parse(JSON.stringify(resultsJsonSchema())));
});

const REPLACEMENTS: readonly unknown[] = [undefined, null, true, false, "text", "", 0, -1, 1, 1.5, [], {}];

/** Every document that has one field of `document` replaced, at any depth. */
function* mutants(document: unknown, put: (part: unknown) => unknown): Generator<readonly [string, unknown]> {
  for (const other of REPLACEMENTS) yield [JSON.stringify(other) ?? "nothing", put(other)];
  if (Array.isArray(document)) yield* mutants(document[0], (part) => put([part]));
  else if (typeof document === "object" && document !== null)
    for (const [key, value] of Object.entries(document))
      for (const [label, made] of mutants(value, (part) => put({ ...document, [key]: part })))
        yield [`${key}: ${label}`, made];
}

test("the schema takes what the parser takes, and refuses what it refuses", () => {
  const validate = new Ajv({ strict: false }).compile(shipped);
  const parses = (text: string): boolean => {
    try {
      parseResults(text, "run.json");
      return true;
    } catch {
      return false;
    }
  };
  const taken: boolean[] = [];
  for (const [label, mutant] of [["valid", valid] as const, ...mutants(valid, (part) => part)]) {
    const text = JSON.stringify(mutant) ?? "";
    const parsed = parses(text);
    expect([label, text !== "" && validate(JSON.parse(text))]).toEqual([label, parsed]);
    taken.push(parsed);
  }
  expect(taken.filter((each) => each).length).toBeGreaterThan(30);
  expect(taken.filter((each) => !each).length).toBeGreaterThan(150);
});
