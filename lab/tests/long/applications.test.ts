import type { MpiFamily } from "@stowage/mpi-abi";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { ADVICE, installed, launch } from "../../../packages/mpi-bridge/tests/launch.js";
import type { AnyResults } from "@stowage/bench";

const LAB = fileURLToPath(new URL("../../bin/lab.mjs", import.meta.url));
const LIMIT_MS = 300_000;
const folder = mkdtempSync(join(tmpdir(), "stowage-applications-"));
afterAll(() => rmSync(folder, { recursive: true }));

const SIMULATED = "--device cuda --simulated";
const STENCILS = [
  [1, `stencil-3d --points 17 --uneven --iterations 2 ${SIMULATED}`],
  [2, `stencil-3d --points 19 --uneven --iterations 2`],
  [3, `stencil-2d --points 31 --uneven --iterations 2`],
  [4, `stencil-2d --points 31 --uneven --iterations 2 ${SIMULATED}`],
  [4, `stencil-2d --points 128,256 --iterations 2`],
  [8, `stencil-3d --points 12 --iterations 2 ${SIMULATED}`],
];
const PAIRS = [
  "vectors --size 1KiB,1MiB --iterations 5",
  "transfers --iterations 5",
  `vectors ${SIMULATED}`,
  `transfers ${SIMULATED}`,
];

describe.each<MpiFamily>(["openmpi", "mpich"])(`applications under %s (${ADVICE} installs it)`, (family) => {
  const bench = (ranks: number, command: string): ReturnType<typeof launch> =>
    launch(family, ranks, [process.execPath, LAB, "run", ...command.split(" ")], {}, LIMIT_MS);

  it
    .skipIf(installed(family) === undefined)
    .each([...STENCILS, ...PAIRS.map((command) => [2, command])] as [number, string][])(
    "on %i ranks leave what a serial run does: %s",
    (ranks, command) => {
      const { status, output } = bench(ranks, `${command} --json`);
      expect(status, output).toBe(0);
      const { rows } = JSON.parse(output.slice(output.indexOf("{"), output.lastIndexOf("}") + 1)) as AnyResults;
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows) expect(row).toMatchObject({ ranks, verified: true });
    },
    LIMIT_MS,
  );

  it.skipIf(installed(family) === undefined)("say in a line what they cannot do", () => {
    expect(bench(1, "vectors").output).toContain("vectors: expected 2 ranks (mpirun -n 2 npx lab run vectors), got 1");
    expect(bench(2, "stencil-3d --points 5").output).toContain("--points: expected 6 or more of stencil-3d, got 5");
    expect(bench(2, "vectors --blocks 3 --size 1KiB").output).toContain("--blocks: expected bytes that divide 1024");
  });
});

describe.skipIf(installed("openmpi") === undefined)("a report of applications", () => {
  it("has TEMPI's figures 9, 11 and 12, as tables and as plots", { timeout: LIMIT_MS }, () => {
    const files = [
      [2, "vectors --size 1KiB,1MiB,4MiB --iterations 3"],
      [2, "transfers --size 1KiB,64KiB --iterations 3"],
      [2, "stencil-3d --points 16 --iterations 2"],
      [4, "stencil-3d --points 16 --iterations 2"],
      [4, "stencil-2d --points 128 --iterations 2"],
    ].map(([ranks, command], i) => {
      const out = join(folder, `${i}.json`);
      const words = ["run", ...(command as string).split(" "), "--out", out];
      const { status, output } = launch("openmpi", ranks as number, [process.execPath, LAB, ...words], {}, LIMIT_MS);
      expect(status, output).toBe(0);
      return out;
    });
    const plots = join(folder, "plots");
    const report = spawnSync(process.execPath, [LAB, "report", ...files, "--plots", plots], {
      encoding: "utf8",
    });
    expect(report.status, report.stderr).toBe(0);
    for (const figure of ["figure 9a", "figure 11", "figure 12", "TPDS table 3", "TPDS figure 6"])
      expect(report.stdout).toContain(figure);
    expect(readdirSync(plots).sort()).toEqual(
      [
        ...["tempi-11a-send", "tempi-11b-normalised", "tempi-12a-halo-phases"],
        ...["tempi-12b-halo-speed-up", "tempi-9a-operations", "tpds-6-ping-pong"],
      ].map((name) => `${name}.svg`),
    );
    for (const name of readdirSync(plots)) expect(readFileSync(join(plots, name), "utf8")).toMatch(/^<svg/);
  });
});
