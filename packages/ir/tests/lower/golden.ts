import { readFileSync } from "node:fs";

/** One line of a golden file: a datatype document and what a real MPI says of it. */
export interface Golden {
  readonly type: unknown;
  readonly count: number;
  readonly size: number;
  readonly lb: number;
  readonly extent: number;
  readonly true_lb: number;
  readonly true_extent: number;
  readonly blocks: number;
  readonly buffer: number;
  readonly origin: number;
  readonly sha256: string;
}

const file = new URL("../../../cli/golden/openmpi-4.1.4.jsonl", import.meta.url);

export const goldens: readonly Golden[] = readFileSync(file, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Golden);

/** The golden files' memory: byte i is (131 i + 17 (i >> 8) + 5 (i >> 16) + 7) mod 256. */
export function goldenBuffer(lengthBytes: number): Uint8Array {
  return Uint8Array.from({ length: lengthBytes }, (_, i) => i * 131 + (i >> 8) * 17 + (i >> 16) * 5 + 7);
}
