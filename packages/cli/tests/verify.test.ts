import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { goldenBuffer } from "../src/golden/pattern.js";
import { ruleOfFile } from "../src/golden/rule-of-file.js";
import { verify } from "../src/golden/verify.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "stowage-verify-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * struct {0: int, 5: an int by another name}, twice, as MPI_Type_get_extent has it in each: MPICH pads no struct of
 * one type.
 */
function structOfOneType(extent: number): string {
  const type = { kind: "struct", blocklengths: [1, 1], displacements: [0, 5], children: ["MPI_INT", "MPI_INT32_T"] };
  const buffer = goldenBuffer(40);
  const element = (at: number): Uint8Array =>
    Buffer.concat([buffer.subarray(at, at + 4), buffer.subarray(at + 5, at + 9)]);
  const sha256 = createHash("sha256").update(element(0)).update(element(extent)).digest("hex");
  const bounds = { size: 8, lb: 0, extent, true_lb: 0, true_extent: 9 };
  return JSON.stringify({ type, count: 2, ...bounds, buffer: 40, origin: 0, blocks: 2, sha256 });
}

function written(name: string, ...lines: readonly string[]): string {
  const file = join(folder, name);
  writeFileSync(file, lines.join("\n"));
  return file;
}

test("a golden file is checked by the rule of the MPI that its name begins with", async () => {
  await verify([written("mpich-4.0.2.jsonl", structOfOneType(9))], { backend: "cpu" });
  await verify([written("openmpi-4.1.4.jsonl", structOfOneType(12))], { backend: "cpu" });
  await expect(verify([written("mpich-5.0.2.jsonl", structOfOneType(12))], { backend: "cpu" })).rejects.toThrow(
    "0 of 1 agree",
  );
  await expect(verify([written("openmpi-6.jsonl", structOfOneType(9))], { backend: "cpu" })).rejects.toThrow(
    "0 of 1 agree",
  );
});

test("under any other name by the standard's, or by the one that --bounds says", async () => {
  await verify([written("mine.jsonl", structOfOneType(12))], { backend: "cpu" });
  await verify([written("mine.jsonl", structOfOneType(9))], { backend: "cpu", bounds: "mpich" });
  await expect(verify([written("mine.jsonl", structOfOneType(9))], { backend: "cpu" })).rejects.toThrow("0 of 1 agree");
});

test("names of both MPIs, in the forms that are met", () => {
  expect(["a/openmpi-4.1.4.jsonl", "Open-MPI.jsonl", "mpich.jsonl", "intel.jsonl"].map(ruleOfFile)).toEqual([
    "open-mpi",
    "open-mpi",
    "mpich",
    "standard",
  ]);
});
