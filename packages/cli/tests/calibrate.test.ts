import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseProfile } from "@stowage/selector";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createProgram } from "../src/program.js";
import { runProgram } from "../src/run-program.js";

let [out, err, folder] = ["", "", ""];

const stowage = (...args: string[]): Promise<number> => runProgram(createProgram(), ["node", "stowage", ...args]);

beforeEach(() => {
  [out, err] = ["", ""];
  folder = mkdtempSync(join(tmpdir(), "stowage-calibrate-"));
  vi.spyOn(process.stdout, "write").mockImplementation((text) => ((out += String(text)), true));
  vi.spyOn(process.stderr, "write").mockImplementation((text) => ((err += String(text)), true));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

describe("calibrate", () => {
  test("writes a profile that is read again, goes on behind a draft, and says how noisy it was", async () => {
    const path = join(folder, "profile.json");
    expect(await stowage("calibrate", "--points", "2", "--seconds", "1", "--out", path)).toBe(0);
    const profile = parseProfile(readFileSync(path, "utf8"), "profile");
    expect(Object.keys(profile.figures)).toEqual(expect.arrayContaining(["host", "cpu", "x64"]));
    expect(existsSync(`${path}.part`)).toBe(false);
    expect(out).toMatch(/one and the same call varied by \d+ %: the machine was (quiet|loaded)/);
    writeFileSync(`${path}.part`, "{ cut sho");
    expect(await stowage("calibrate", "--points", "1", "--seconds", "1", "--out", path)).toBe(0);
    expect(await stowage("profile", "diff", path, path)).toBe(0);
    expect(out).toContain("no figure differs by more than 5 %");
    expect(await stowage("profile", "show", path)).toBe(0);
    expect(out).toMatch(/x64 +pack\.call/);
  });

  test.each([
    [["--points", "none"], /^stowage: --points: expected a whole number above 0, got none/],
    [["--out", "/proc/nowhere/profile.json"], /^stowage: --out: expected/],
    [["--simulated"], /^stowage: --simulated: expected --device beside it, got none/],
  ])("%j is bad input, in one line", async (args, message) => {
    expect(await stowage("calibrate", ...args)).toBe(2);
    expect(err).toMatch(message);
  });
});

test("explain --count has every candidate with its time or its reason", async () => {
  const column = '{"kind":"vector","count":4,"blocklength":1,"stride":4,"child":"MPI_DOUBLE"}';
  expect(await stowage("explain", column, "--count", "10", "--json")).toBe(0);
  const lines = JSON.parse(out) as { name: string; runNs?: number; reason: string; chosen: boolean }[];
  expect(lines.filter(({ chosen }) => chosen)).toHaveLength(2);
  for (const { runNs, reason } of lines) expect(runNs !== undefined || reason.length > 0).toBe(true);
});
