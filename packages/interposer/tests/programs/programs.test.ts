import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { buildLibrary } from "../../src/index.js";
import { inFolder } from "../service/in-folder.js";
import { compiled, countsOf, INSTALLED, ran, startServiceIn, type Ran } from "./ranks.js";

const RULES = 12;
const MOST_RUNS = 20;

/** The service goes on compiling when a program has ended: runs again until nine tenths of the bytes go by our code. */
function whenCodeIsThere(run: () => Ran): Ran {
  for (let runs = 1; ; runs++) {
    const ran = run();
    const { ourBytes, nativeBytes } = countsOf(ran);
    if (ourBytes > 9 * nativeBytes || runs === MOST_RUNS) return ran;
  }
}

describe.each(INSTALLED)("$name", (mpi) => {
  test(
    "a program receives the same bytes natively, while code arrives, and by our code, which --verify compares",
    () =>
      inFolder(async (folder) => {
        const service = await startServiceIn(folder);
        try {
          const surroundings = { mpi, folder, service };
          const words = [compiled(surroundings, "rules.c"), "1", "4"];
          const native = ran(surroundings, 2, words);
          const cold = ran(surroundings, 2, words, {});
          const warm = whenCodeIsThere(() => ran(surroundings, 2, words, { verify: true }));
          expect(native.output.trim().split("\n")).toHaveLength(RULES);
          expect(cold.output).toBe(native.output);
          expect(warm.output).toBe(native.output);
          const { ourBytes, nativeBytes, ranges, differences } = countsOf(warm);
          expect(differences).toBe(0);
          expect(ranges).toBeGreaterThan(0);
          expect(ourBytes).toBeGreaterThan(9 * nativeBytes);
        } finally {
          service.process?.kill("SIGKILL");
        }
      }),
    60_000,
  );

  test("a program without MPI runs as ever, all symbols bound at once", () => {
    const { path } = buildLibrary(mpi.compiler);
    const env = { ...process.env, LD_PRELOAD: path, LD_BIND_NOW: "1", STOWAGE_VERBOSE: "1" };
    const { status, stdout, stderr } = spawnSync("/bin/echo", ["as ever"], { env, encoding: "utf8" });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "as ever\n", stderr: "" });
  });
});
