import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createProgram } from "../../src/program.js";
import { parseResults } from "@stowage/bench/results";
import { runProgram } from "../../src/run-program.js";
import { brokenMpi, noBrokenMpis } from "./broken-mpi.js";

const folder = mkdtempSync(join(tmpdir(), "stowage-peers-"));
afterAll(() => rmSync(folder, { recursive: true }));
let out = "";
let err = "";

beforeEach(() => {
  out = "";
  err = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => ((out += String(text)), true));
  vi.spyOn(process.stderr, "write").mockImplementation((text) => ((err += String(text)), true));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const stowage = (...args: string[]) => runProgram(createProgram(), ["node", "stowage", "bench", "--peers", ...args]);

describe("bench --peers", () => {
  test("prints ratios first, and writes rows that a report can read", async () => {
    vi.stubEnv("STOWAGE_MPI", "/no/such/mpi"); // bench-peers.test.ts has all peers
    vi.stubEnv("PATH", "/");
    const file = join(folder, "peers.json");
    expect(await stowage("NAS_LU_x/0", "--backend", "cpu", "--size", "1KiB,4KiB", "--budget", "1", "--out", file)).toBe(
      0,
    );
    expect(out).toMatch(/^times as fast as: cpu/);
    const { rows } = parseResults(readFileSync(file, "utf8"), file);
    expect(new Set(rows.map(({ packedBytes }) => packedBytes)).size).toBe(2);
    expect(rows.find(({ contender }) => contender === "cpu")?.createNs).toBeGreaterThan(0);
  });

  test("is bad input with a backend that is not there", async () => {
    expect(await stowage("NAS_LU_x/0", "--backend", "abacus")).toBe(2);
    expect(err).toMatch(/^stowage: --backend: expected all or some of auto, .*cpu.*, got abacus\n$/);
  });

  test.skipIf(noBrokenMpis !== undefined)(
    `ends with code 1 where a contender moved other bytes (${noBrokenMpis ?? "a broken MPI"})`,
    async () => {
      vi.stubEnv("STOWAGE_MPI", brokenMpi("packs other bytes"));
      vi.stubEnv("PATH", "/");
      expect(await stowage("NAS_LU_x/0", "--backend", "cpu", "--budget", "1")).toBe(1);
      expect(err).toContain("cells in which a contender moved other bytes: expected none, got 1");
    },
  );
});
