// Result files in the form of the design's "Result files".
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { dirname } from "node:path";

export function writeResults(file, rows, extra = {}) {
  // Where there is no checkout, as beside the bundle, the environment names the commit.
  const commit =
    process.env.STOWAGE_COMMIT ??
    spawnSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).stdout.trim();
  const head = {
    schema: "stowage-results/1",
    command: ["node", ...process.argv.slice(1).map((word) => word.replace(`${process.cwd()}/`, ""))].join(" "),
    date: new Date().toISOString(),
    commit,
    machine: {
      cpu: cpus()[0]?.model ?? "unknown",
      cores: cpus().length,
      gpu: null,
      driver: null,
      node: process.version,
    },
    ...extra,
  };
  mkdirSync(dirname(file), { recursive: true });
  const lines = rows.map((row) => `    ${JSON.stringify(row)}`).join(",\n");
  writeFileSync(file, `${JSON.stringify(head, null, 2).replace(/\n\}$/, "")},\n  "rows": [\n${lines}\n  ]\n}\n`);
}

const mean = (logs) => Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length);

/** Geometric mean, least and greatest of ratios. */
export function summarise(ratios) {
  const logs = ratios.map(Math.log);
  return { cells: ratios.length, geometricMean: mean(logs), least: Math.min(...ratios), greatest: Math.max(...ratios) };
}
