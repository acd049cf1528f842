import { parseAnyResults } from "@stowage/bench/results";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import type { Experiment } from "../../src/experiment.js";
import { experimentNames } from "../../src/registry.js";

const bin = fileURLToPath(new URL("../../bin/lab.mjs", import.meta.url));
/** Open MPI takes ranks of root, and more than there are processors, where it is told to. */
const ANYWHERE = {
  OMPI_ALLOW_RUN_AS_ROOT: "1",
  OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1",
  OMPI_MCA_rmaps_base_oversubscribe: "1",
};
const folder = mkdtempSync(join(tmpdir(), "stowage-lab-"));
afterAll(() => rmSync(folder, { recursive: true }));

test.each(experimentNames())("%s: its trial writes rows of the one form", async (name) => {
  const file = pathToFileURL(fileURLToPath(new URL(`../../experiments/${name}.mjs`, import.meta.url)));
  const { default: experiment } = (await import(file.href)) as { default: Experiment };
  const out = join(folder, `${name}.json`);
  const launcher = experiment.ranks === undefined ? [] : ["mpirun", "-n", String(experiment.ranks)];
  const [program = "", ...words] = [...launcher, process.execPath, bin, "run", name, "--trial", "--out", out];
  const { status, stdout, stderr } = spawnSync(program, words, {
    encoding: "utf8",
    env: { ...process.env, ...ANYWHERE },
  });
  if (typeof experiment.trial === "string") {
    expect(stderr).toContain(`expected ${experiment.trial}`);
    return;
  }
  expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout.trim()).not.toBe("");
  const { rows, kind, experiment: own } = parseAnyResults(readFileSync(out, "utf8"), out);
  expect({ kind, own }).toEqual({ kind: experiment.kind, own: name });
  expect(rows.length).toBeGreaterThan(0);
});
