// What a process pays before its first pack, as JSON, with the packages as they are published:
// node scripts/stage-packages.mjs && node packages/selector/bench/start.mjs > results/epyc/start.json (after npm run
// build). Each figure is of fresh processes that take turns, from spawn to exit; `beyondNodeMs` compares the least of
// each.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const RUNS = Number(process.argv[2] ?? 20);
const ENGINE = 'const { createEngine } = await import("@stowage/selector"); const engine = createEngine();';
const FROM_TO = "new Float64Array(512 * 512), new Float64Array(512)";
const COLUMN = '{ kind: "vector", count: 512, blocklength: 1, stride: 512, child: "MPI_DOUBLE" }';
const PROGRAMS = {
  node: "",
  koffi: 'await import("koffi");',
  tsyringe: 'await import("reflect-metadata"); await import("tsyringe");',
  engineOverCpu: 'await import("@stowage/engine"); await import("@stowage/backend-cpu");',
  x64: 'await import("@stowage/backend-x64");',
  createEngine: ENGINE,
  firstPack: `${ENGINE} engine.commit(${COLUMN}).pack(${FROM_TO}).wait();`,
};

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));

/** An installation: the staged packages, and everybody else's as they are here. */
function install(home) {
  const staged = join(root, "tmp", "packages");
  if (!existsSync(staged)) throw new Error("tmp/packages: expected staged packages, got none: run stage-packages.mjs");
  const modules = join(home, "node_modules");
  mkdirSync(modules);
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (name !== "@stowage" && !name.startsWith("."))
      symlinkSync(join(root, "node_modules", name), join(modules, name));
  }
  for (const name of readdirSync(staged)) {
    cpSync(join(staged, name), join(modules, "@stowage", name), { recursive: true });
  }
}

function spawnMs(home, program) {
  const begin = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], { cwd: home });
  if (status !== 0) throw new Error(`${program}: expected to end well, got ${stderr}`);
  return performance.now() - begin;
}

const home = mkdtempSync(join(tmpdir(), "stowage-start-"));
try {
  install(home);
  const names = Object.keys(PROGRAMS);
  const samples = Object.fromEntries(names.map((name) => [name, []]));
  for (let run = 0; run < RUNS; run++) for (const name of names) samples[name].push(spawnMs(home, PROGRAMS[name]));
  const leastOf = (name) => Math.min(...samples[name]);
  const rows = names.map((name) => ({
    what: name,
    program: PROGRAMS[name],
    minMs: leastOf(name),
    medianMs: samples[name].sort((a, b) => a - b)[RUNS >> 1],
    beyondNodeMs: leastOf(name) - leastOf("node"),
    runs: RUNS,
  }));
  const command = `node packages/selector/bench/start.mjs ${process.argv.slice(2).join(" ")}`.trim();
  const machine = { cpu: cpus()[0]?.model ?? "unknown", cores: cpus().length, node: process.version };
  console.log(JSON.stringify({ command, date: new Date().toISOString(), machine, rows }, null, 1));
} finally {
  rmSync(home, { recursive: true, force: true });
}
