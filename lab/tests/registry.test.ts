import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { movedCommands, newCommand } from "../src/old-commands.js";
import { experimentNames } from "../src/registry.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const lab = (...words: readonly string[]): string =>
  execFileSync(process.execPath, [join(root, "lab/bin/lab.mjs"), ...words], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });

const filesOf = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .map((name) => join(root, folder, name));

test("every experiment is listed with its question", () => {
  const listed = lab("list").trim().split("\n");
  expect(listed.map((line) => line.split(" ")[0])).toEqual(experimentNames());
  for (const line of listed) expect(line).toMatch(/\S+ +\S.*\?/);
});

test("every old command is an experiment or a file now, and is no file of its old name", () => {
  for (const { old, run, file } of movedCommands()) {
    if (run !== undefined) expect(experimentNames(), old).toContain(run);
    else expect(existsSync(join(root, file ?? "")), `${old}: ${file}`).toBe(true);
    if (old.includes("/")) expect(existsSync(join(root, old.split(" ")[0] as string)), old).toBe(false);
  }
});

test("a result file's command is there, or has moved to what is", () => {
  for (const path of filesOf("results")) {
    const { command = "" } = JSON.parse(readFileSync(path, "utf8")) as { command?: string };
    for (const [script] of command.matchAll(/packages\/[\w-]+\/bench\/[\w.-]+/g))
      expect(existsSync(join(root, script)) || newCommand(command) !== undefined, `${path}: ${command}`).toBe(true);
    if (/bench --(application|contend)/.test(command)) expect(newCommand(command), command).toBeDefined();
  }
});

test("an old command keeps its launcher, its arguments get their names", () => {
  const command = "mpirun -n 2 node packages/backend-cuda-strided/bench/strided.mjs OUT.json HAND.ptx";
  const become = {
    launcher: ["mpirun", "-n", "2"],
    experiment: "strided",
    words: ["--out=OUT.json", "--hand=HAND.ptx"],
  };
  expect(newCommand(command)).toEqual(become);
  expect(newCommand(command.split(" "))).toEqual(become);
});

test("an old command's text is read as a shell reads it, without the prose behind it", () => {
  const reduce = "node packages/mpi-bridge/bench/reduce.mjs --only 'blocks of 8 B,dense' --samples 15";
  expect(newCommand(reduce)?.words).toEqual(["--only", "blocks of 8 B,dense", "--samples", "15"]);
  const pipeline = "mpirun -n 2 node packages/mpi-bridge/bench/pipeline.mjs --json, once with each MPI";
  expect(newCommand(pipeline)?.words).toEqual(["--json"]);
});

test("report reads every result file there is, of whatever form", () => {
  const files = filesOf("results");
  const reports = lab("report", ...files)
    .split(/^## /m)
    .slice(1);
  expect(reports).toHaveLength(files.length);
  for (const each of reports) expect(each.trim().split("\n").length, each).toBeGreaterThan(3);
});

test("adding an experiment is adding one file: the recipe's", () => {
  const recipe = /```js\n([\s\S]*?)```/.exec(readFileSync(join(root, "lab/README.md"), "utf8"))?.[1] as string;
  const file = join(root, "lab/experiments/squares.mjs");
  const folder = mkdtempSync(join(tmpdir(), "stowage-lab-"));
  const out = join(folder, "out.json");
  writeFileSync(file, recipe);
  try {
    expect(lab("list")).toContain("squares ");
    expect(lab("run", "squares", "--trial", "--out", out)).toContain("column of 16");
    const { experiment, kind, rows } = JSON.parse(readFileSync(out, "utf8")) as Record<string, unknown>;
    expect({ experiment, kind }).toEqual({ experiment: "squares", kind: "moves" });
    expect(rows).toHaveLength(4);
    expect(lab("report", out)).toContain("x64 is ");
  } finally {
    rmSync(file);
    rmSync(folder, { recursive: true });
  }
});
