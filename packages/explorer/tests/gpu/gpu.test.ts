import { UNCALIBRATED } from "@stowage/backend-api";
import { canonicalise, indexedBlock, lower, predefined, vector } from "@stowage/ir";
import { expect, test } from "vitest";
import { predictedTimes } from "../../src/gpu/predicted-times.js";
import { warpAccesses } from "../../src/gpu/warp-accesses.js";

const COLUMN = canonicalise(lower(vector(64, 1, 64, predefined("MPI_DOUBLE"))));
const LIST = canonicalise(lower(indexedBlock(1, [0, 3, 5, 11, 12, 40], predefined("MPI_INT"))));

test("the lanes that load a column touch a sector each; what they store is dense", () => {
  const [strided] = warpAccesses(COLUMN);
  const of = (memory: string) => (strided?.accesses ?? []).filter((access) => access.memory === memory);
  expect(of("data").length).toBeGreaterThan(0);
  for (const { lanes, sectors, writes } of of("data"))
    expect([writes, sectors.length]).toEqual([false, new Set(lanes.map(({ offsetBytes }) => offsetBytes)).size]);
  for (const { lanes, sectors, laneBytes } of of("packed"))
    expect(sectors.length).toBe(Math.ceil((lanes.length * laneBytes) / 32));
  const moved = of("data").flatMap(({ lanes }) => lanes.map(({ offsetBytes }) => offsetBytes));
  expect([...new Set(moved)].sort((a, b) => a - b)).toEqual(Array.from({ length: 64 }, (_, i) => i * 512));
});

test("sectors add up to what the simulated device counts", () => {
  for (const { accesses, loads, stores } of warpAccesses(COLUMN)) {
    const sectors = (writes: boolean) =>
      accesses.filter((each) => each.writes === writes).reduce((sum, each) => sum + each.sectors.length, 0);
    expect([sectors(false), sectors(true)]).toEqual([loads.sectors, stores.sectors]);
  }
});

test("a kernel that does not take a layout says why, as does a layout that is too large to simulate", () => {
  const [strided, generic] = warpAccesses(LIST);
  expect(strided?.reason).toContain("not strided");
  expect(generic?.accesses.length).toBeGreaterThan(0);
  const large = canonicalise(lower(vector(2 ** 30, 1, 2, predefined("MPI_DOUBLE"))));
  for (const { reason } of warpAccesses(large)) expect(reason).toContain("simulated up to");
});

test("every candidate has a time that does not fall with the count, or a reason", () => {
  const [one, many] = [1, 1000].map((count) => predictedTimes(LIST, count, UNCALIBRATED));
  expect(one?.map(({ backend }) => backend)).toEqual(["x64", "cpu", "cuda-strided", "cuda-generic", "dma"]);
  one?.forEach(({ runNs, reason }, i) => {
    if (runNs === undefined) expect(reason).toBeDefined();
    else expect(many?.[i]?.runNs).toBeGreaterThanOrEqual(runNs);
  });
});
