import { canonicalise, forEachRun, lower, parseDatatype, type Datatype } from "@stowage/ir";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A golden file's line: a datatype, a buffer, and what a real MPI packed of it. */
export interface Golden {
  readonly type: unknown;
  readonly count: number;
  readonly size: number;
  readonly buffer: number;
  readonly origin: number;
  readonly sha256: string;
}

const FILE = fileURLToPath(new URL("../../../cli/golden/openmpi-4.1.4.jsonl", import.meta.url));

export const goldenTypes = (): readonly Golden[] =>
  readFileSync(FILE, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Golden);

export const datatypeOf = ({ type }: Golden): Datatype => parseDatatype(type);

/** How many bytes of the buffer the elements cover. */
export function touchedBytes(golden: Golden): number {
  const covered = new Uint8Array(golden.buffer);
  const range = { count: golden.count, first: 0, length: golden.count * golden.size };
  forEachRun(canonicalise(lower(datatypeOf(golden))), range, (offset, length) => {
    covered.fill(1, golden.origin + offset, golden.origin + offset + length);
  });
  return covered.reduce((sum, one) => sum + one, 0);
}
