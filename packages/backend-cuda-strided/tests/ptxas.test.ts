import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { print } from "@stowage/ptx";
import { programFor, recordBytes, shapeName, type Shape } from "../src/index.js";

const hasPtxas = spawnSync("ptxas", ["--version"]).status === 0;
const BASE: Shape = {
  direction: "pack",
  wordBytes: 8,
  vectorBytes: 8,
  dimensions: 2,
  unitRows: false,
  wide: false,
  vectorsPerThread: 2,
  streams: false,
};
const SHAPES: readonly Shape[] = (["pack", "unpack"] as const).flatMap((direction) => [
  { ...BASE, direction, wordBytes: 16, vectorBytes: 16, dimensions: 0, streams: true },
  { ...BASE, direction },
  { ...BASE, direction, wordBytes: 1, vectorBytes: 4, vectorsPerThread: 1 },
  { ...BASE, direction, wordBytes: 2, vectorBytes: 4, unitRows: true },
  { ...BASE, direction, wordBytes: 4, vectorBytes: 4, dimensions: 5, wide: true },
]);

/** ptxas on all kernels at once; its own words where it refuses. */
function assemble(arch: number): { readonly status: number | null; readonly report: string } {
  const folder = mkdtempSync(join(tmpdir(), "stowage-ptxas-"));
  const constants = new DataView(new ArrayBuffer(recordBytes(2)));
  constants.setBigInt64(64, -4096n, true);
  const specialised = { ...programFor([BASE], 1, constants).kernel, name: "specialised" };
  const kernels = [...SHAPES.map((shape) => programFor([shape], 1).kernel), programFor(SHAPES, 8).kernel, specialised];
  const file = join(folder, "kernels.ptx");
  writeFileSync(file, print(kernels, { arch }));
  const { status, stderr } = spawnSync("ptxas", ["-v", `-arch=sm_${arch}`, file, "-o", join(folder, "kernels.cubin")], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  return { status, report: stderr };
}

describe.skipIf(!hasPtxas)("ptxas takes every kernel and spills nothing (where it is on PATH)", () => {
  for (const arch of [75, 90, 120]) {
    it(`sm_${arch}`, () => {
      const { status, report } = assemble(arch);
      expect(status, report).toBe(0);
      const spilled = [...report.matchAll(/(\d+) bytes spill stores/g)].map(([, bytes]) => Number(bytes));
      expect(spilled.every((bytes) => bytes === 0), report).toBe(true);
    });
  }
});

it("unlike shapes have unlike names", () => {
  expect(new Set(SHAPES.map(shapeName)).size).toBe(SHAPES.length);
});
