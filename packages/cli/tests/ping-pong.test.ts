import type { MpiFamily } from "@stowage/mpi-abi";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { ADVICE, installed, launch } from "../../mpi-bridge/tests/launch.js";
import type { PingPongResults } from "../src/pingpong/row.js";

const STOWAGE = fileURLToPath(new URL("../bin/stowage.js", import.meta.url));
const bench = (family: MpiFamily, ranks: number, ...args: readonly string[]): ReturnType<typeof launch> =>
  launch(family, ranks, [process.execPath, STOWAGE, "bench", "--pingpong", ...args]);

// Both MPIs and every type: tests/long.
describe(`bench --pingpong under Open MPI (${ADVICE} installs it)`, () => {
  it.skipIf(installed("openmpi") === undefined)("checks every contender, messages and an all-to-all alike", () => {
    const { status, output } = bench("openmpi", 2, "NAS_LU_y/0", "FFT2/1", "FFT2/2", "--budget", "1", "--json");
    expect(status, output).toBe(0);
    const { rows } = JSON.parse(output.slice(output.indexOf("{"), output.lastIndexOf("}") + 1)) as PingPongResults;
    for (const [workload, pattern] of [
      ["NAS_LU_y/0", "ping-pong"],
      ["FFT2/1, FFT2/2", "all-to-all"],
    ]) {
      const cell = rows.filter((row) => row.workload === workload);
      expect(cell.every((row) => row.verified && row.pattern === pattern)).toBe(true);
      const expected = ["native", "manual", "bytes", "chosen", "x64", "cpu", "native from Node"];
      expect(cell.map(({ contender }) => contender)).toEqual(expect.arrayContaining(expected));
    }
  });

  it.skipIf(installed("openmpi") === undefined)("wants two ranks, in a line", () => {
    const { status, output } = bench("openmpi", 1, "NAS_LU_y/0");
    expect(output).toContain(
      "stowage: --pingpong: expected 2 ranks (mpirun -n 2 npx stowage bench --pingpong), got 1\n",
    );
    expect(status).not.toBe(0);
  });
});
