// Mutation testing: small changes of source files, drawn by a seed, each tried against the tests that should see it.
// A change that no test sees survives: a test is missing, or the change changes nothing, which is then written down.
//
//   node scripts/mutants.mjs --seed 1 --count 20 SOURCE... -- TEST...
//
// SOURCE is a file or a folder of src, TEST what vitest takes. No file is changed: the loader of tests makes the change.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { mutationsOf } from "./mutants/mutations.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  args: process.argv.slice(2, process.argv.includes("--") ? process.argv.indexOf("--") : undefined),
  options: { seed: { type: "string", default: "1" }, count: { type: "string", default: "20" } },
});
const tests = process.argv.includes("--") ? process.argv.slice(process.argv.indexOf("--") + 1) : [];
if (positionals.length === 0 || tests.length === 0) {
  console.error("mutants: expected SOURCE... -- TEST..., got too little");
  process.exit(2);
}

const sourcesIn = (path) =>
  statSync(path).isDirectory()
    ? readdirSync(path).flatMap((name) => sourcesIn(join(path, name)))
    : path.endsWith(".ts")
      ? [resolve(path)]
      : [];

/** xorshift32: the same seed draws the same mutants of the same sources. */
function randomOf(seed) {
  let state = (Math.imul(seed, 0x9e3779b1) | 1) >>> 0;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

function byPlace(mutations) {
  const places = new Map();
  for (const each of mutations) places.set(each.start, [...(places.get(each.start) ?? []), each]);
  return [...places.values()];
}

/** As many mutants as asked for, each of another place; all places are as likely. */
function drawn(count, seed) {
  const random = randomOf(seed);
  const places = positionals.flatMap(sourcesIn).flatMap((path) => {
    const source = readFileSync(path, "utf8");
    return byPlace(mutationsOf(path, source)).map((changes) => ({ path, source, changes }));
  });
  const mutants = [];
  while (mutants.length < count && places.length > 0) {
    const [{ path, source, changes }] = places.splice(random(places.length), 1);
    mutants.push({ path, source, ...changes[random(changes.length)] });
  }
  return mutants;
}

const home = mkdtempSync(join(tmpdir(), "stowage-mutants-"));
process.on("exit", () => rmSync(home, { recursive: true, force: true }));

function copyOf({ path, source, start, end, text }) {
  const copy = join(home, "mutant.ts");
  writeFileSync(copy, `${source.slice(0, start)}${text}${source.slice(end)}`);
  return { path, copy };
}

/** Whether the tests pass. What runs too long has been caught too: it is ended, with all processes that it started. */
function passes(mutant, limitMs) {
  const env = { ...process.env, STOWAGE_MUTANT: JSON.stringify(mutant), NO_COLOR: "1" };
  const config = join(import.meta.dirname, "mutants", "vitest.config.mjs");
  const args = [join("node_modules", "vitest", "vitest.mjs"), "run", "--config", config, "--silent=true", ...tests];
  return new Promise((settle) => {
    const child = spawn(process.execPath, args, { env, detached: true, stdio: "ignore" });
    const late = setTimeout(() => process.kill(-child.pid, "SIGKILL"), limitMs);
    child.on("close", (status) => {
      clearTimeout(late);
      settle(status === 0);
    });
  });
}

function lineOf({ path, source, start, end, text }) {
  const before = source.slice(0, start);
  const [line, column] = [before.split("\n").length, start - before.lastIndexOf("\n")];
  const context = source.split("\n")[line - 1].trim();
  const now = source.slice(start, end).replaceAll(/\s+/g, " ");
  return `${relative(process.cwd(), path)}:${line}:${column}: ${now} -> ${text} in ${context}`;
}

const startedMs = Date.now();
if (!(await passes({}, 600_000))) {
  console.error(`mutants: expected ${tests.join(" ")} to pass without a mutant, got a failure`);
  process.exit(1);
}
const limitMs = 30_000 + 4 * (Date.now() - startedMs);
const mutants = drawn(Number(values.count), Number(values.seed));
let survived = 0;
for (const mutant of mutants) {
  const survives = await passes(copyOf(mutant), limitMs);
  if (survives) survived++;
  console.log(`${survives ? "SURVIVED" : "killed  "} ${lineOf(mutant)}`);
}
console.log(`seed ${values.seed}: ${mutants.length - survived} killed, ${survived} survived`);
