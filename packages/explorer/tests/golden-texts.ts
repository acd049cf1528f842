import { readFileSync } from "node:fs";

interface GoldenLine {
  readonly type: unknown;
}

/** The documents of the 500 golden datatypes, as JSON texts. */
export function goldenTexts(): readonly string[] {
  const file = new URL("../../cli/golden/openmpi-4.1.4.jsonl", import.meta.url);
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => JSON.stringify((JSON.parse(line) as GoldenLine).type));
}
