import type { MpiFamily } from "@stowage/mpi-abi";
import { workloadNames } from "@stowage/workloads";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { ADVICE, installed, launch } from "../../../mpi-bridge/tests/launch.js";
import type { PingPongResults } from "../../src/pingpong/row.js";

const STOWAGE = fileURLToPath(new URL("../../bin/stowage.js", import.meta.url));
const LIMIT_MS = 900_000;

describe.each<MpiFamily>(["openmpi", "mpich"])(`bench --pingpong under %s (${ADVICE} installs it)`, (family) => {
  it.skipIf(installed(family) === undefined)(
    "moves every type of DDTBench right by every contender",
    { timeout: LIMIT_MS },
    () => {
      const command = [process.execPath, STOWAGE, "bench", "--pingpong", "--budget", "1", "--json"];
      const { status, output } = launch(family, 2, command, {}, LIMIT_MS);
      expect(status, output.slice(-2000)).toBe(0);
      const { rows } = JSON.parse(output.slice(output.indexOf("{"), output.lastIndexOf("}") + 1)) as PingPongResults;
      const moved = new Set(
        rows.filter(({ contender }) => contender === "chosen").flatMap((row) => row.workload.split(", ")),
      );
      expect([...moved].sort()).toEqual([...workloadNames("ddtbench")].sort());
      for (const contender of ["native", "manual", "x64", "cpu"]) {
        expect(rows.filter((row) => row.contender === contender)).toHaveLength(moved.size - 5); // FFT2's two are one
      }
    },
  );
});
