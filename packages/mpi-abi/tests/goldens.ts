import { parseDatatype, type Datatype } from "@stowage/ir";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

interface GoldenLine {
  readonly type: unknown;
  readonly count: number;
  readonly buffer: number;
  readonly origin: number;
  readonly sha256: string;
}

export interface GoldenType extends GoldenLine {
  readonly datatype: Datatype;
  readonly text: string;
}

const file = new URL("../../cli/golden/openmpi-4.1.4.jsonl", import.meta.url);

export const goldens: readonly GoldenType[] = readFileSync(file, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as GoldenLine)
  .map((golden) => ({ ...golden, datatype: parseDatatype(golden.type), text: JSON.stringify(golden.type) }));

/** Byte i is (131 i + 17 (i >> 8) + 5 (i >> 16) + 7) mod 256. */
export function goldenBuffer(sizeBytes: number): Uint8Array {
  return Uint8Array.from({ length: sizeBytes }, (_, i) => i * 131 + (i >> 8) * 17 + (i >> 16) * 5 + 7);
}

export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
