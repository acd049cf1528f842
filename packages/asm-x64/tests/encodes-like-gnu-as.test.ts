import fc from "fast-check";
import { readFileSync, writeFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { Assembler, avx, avx512, general, lineText, sse, type Row } from "../src/index.js";
import { assembleByGnu, hasGnuAs } from "./oracle.js";
import { instructionOf } from "./operands.js";

const tables: Readonly<Record<string, Readonly<Record<string, Row>>>> = { general, sse, avx, avx512 };
const rows = Object.values(tables).flatMap((table) => Object.values(table));
const SEED = 20_251_121;

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

/** Samples of a row: text for the oracle and our bytes. */
function sample(row: Row, numRuns: number): { text: string; bytes: string }[] {
  return fc.sample(instructionOf(row), { numRuns, seed: SEED }).map(({ operands, masking }) => {
    const assembler = new Assembler({ listing: true });
    assembler.emit(row, operands, masking);
    return { text: lineText(assembler.lines()[0]!), bytes: hex(assembler.finish()) };
  });
}

const withoutLabels = rows.filter(({ encoding }) => encoding.relativeBits === 0);
const SAMPLES = 40;

const isAsGnuMakesIt = (samples: ReturnType<typeof sample>): boolean =>
  samples.map(({ bytes }) => bytes).join("") === hex(assembleByGnu(samples.map(({ text }) => text)));

describe.runIf(hasGnuAs)("every row, on random operands, is what GNU as makes of its text", () => {
  const ofRows = withoutLabels.map((row) => [row.form, sample(row, SAMPLES)] as const);
  let agree = false;
  beforeAll(() => {
    try {
      agree = isAsGnuMakesIt(ofRows.flatMap(([, samples]) => samples));
    } catch {
      // A text that GNU as refuses: each row, in a process of its own, says whose.
    }
  });

  test.each(ofRows)("%s", (_, samples) => {
    if (agree || isAsGnuMakesIt(samples)) return;
    for (const { text, bytes } of samples) expect(`${text}: ${bytes}`).toBe(`${text}: ${hex(assembleByGnu([text]))}`);
  });
});

describe.skipIf(hasGnuAs)("GNU as is not installed: compared with the committed vectors only", () => {
  test("the oracle is absent", () => expect(hasGnuAs).toBe(false));
});

// Write them anew, once the oracle agrees, with WRITE_VECTORS=1.
test("every row gives its committed vector", () => {
  const file = new URL("vectors.json", import.meta.url);
  if (process.env["WRITE_VECTORS"] === "1" && hasGnuAs) {
    const rowsOut = withoutLabels.map((row) => `${JSON.stringify(row.form)}:${JSON.stringify(sample(row, 3))}`);
    writeFileSync(file, `{\n${rowsOut.join(",\n")}\n}\n`);
  }
  const vectors = JSON.parse(readFileSync(file, "utf8")) as Record<string, { text: string; bytes: string }[]>;
  for (const row of withoutLabels) expect(sample(row, 3)).toEqual(vectors[row.form]);
});
