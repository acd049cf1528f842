import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { buildLibrary } from "../../src/index.js";
import { codeHasCome, compiled, countsOf, INSTALLED, ran, within } from "./ranks.js";

const RULES = 14;
describe.each(INSTALLED)("$name", (mpi) => {
  test("a program receives the same bytes natively, while code arrives, and by our code, which --verify compares", () =>
    within(mpi, async (surroundings) => {
      const words = [compiled(surroundings, "rules.c"), "1", "4"];
      const native = ran(surroundings, 2, words);
      const cold = ran(surroundings, 2, words, {});
      await codeHasCome(surroundings);
      const warm = ran(surroundings, 2, words, { verify: true });
      expect(native.output.trim().split("\n")).toHaveLength(RULES);
      expect(cold.output).toBe(native.output);
      expect(warm.output).toBe(native.output);
      const { ourBytes, nativeBytes, ranges, differences } = countsOf(warm);
      expect(differences).toBe(0);
      expect(ranges).toBeGreaterThan(0);
      expect(ourBytes).toBeGreaterThan(9 * nativeBytes);
    }));

  test("a program without MPI runs as ever, all symbols bound at once", async () => {
    const { path } = await buildLibrary(mpi.compiler);
    const env = { ...process.env, LD_PRELOAD: path, LD_BIND_NOW: "1", STOWAGE_VERBOSE: "1" };
    const { status, stdout, stderr } = spawnSync("/bin/echo", ["as ever"], { env, encoding: "utf8" });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "as ever\n", stderr: "" });
  });
});
