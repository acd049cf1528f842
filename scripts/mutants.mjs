// Mutation testing: small changes of source files, drawn by a seed, each tried against the tests that should see it.
// A change that no test sees survives: a test is missing, or the change changes nothing, which is then written down.
//
//   node scripts/mutants.mjs --seed 1 --count 20 [--from N] SOURCE... -- TEST...
//
// SOURCE is a file or a folder of src, TEST what vitest takes. No file is changed: the loader of tests makes the
// change.
// --from N goes on at the Nth of the mutants that the seed draws, where a run ended early.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { mutationsOf } from "./mutants/mutations.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  args: process.argv.slice(2, process.argv.includes("--") ? process.argv.indexOf("--") : undefined),
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "20" },
    from: { type: "string", default: "1" },
  },
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

/** What the tests say of a mutant. One that runs too long is ended, with all processes that it started. */
function verdictOf(mutant, limitMs) {
  const env = { ...process.env, STOWAGE_MUTANT: JSON.stringify(mutant), NO_COLOR: "1" };
  const config = join(import.meta.dirname, "mutants", "vitest.config.mjs");
  const args = [join("node_modules", "vitest", "vitest.mjs"), "run", "--config", config, "--silent=true", ...tests];
  return new Promise((settle) => {
    const child = spawn(process.execPath, args, { env, detached: true, stdio: "ignore" });
    let verdict = "killed";
    const late = setTimeout(() => {
      verdict = "too long";
      process.kill(-child.pid, "SIGKILL");
    }, limitMs);
    child.on("close", (status) => {
      clearTimeout(late);
      settle(status === 0 ? "SURVIVED" : verdict);
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
if ((await verdictOf({}, 600_000)) !== "SURVIVED") {
  console.error(`mutants: expected ${tests.join(" ")} to pass without a mutant, got a failure`);
  process.exit(1);
}
const limitMs = 15_000 + 3 * (Date.now() - startedMs);
const mutants = drawn(Number(values.count), Number(values.seed)).slice(Number(values.from) - 1);
const verdicts = { killed: 0, "too long": 0, SURVIVED: 0 };
for (const mutant of mutants) {
  const verdict = await verdictOf(copyOf(mutant), limitMs);
  verdicts[verdict]++;
  console.log(`${verdict.padEnd(8)} ${lineOf(mutant)}`);
}
const { killed, "too long": tooLong, SURVIVED: survived } = verdicts;
console.log(`seed ${values.seed}: ${killed} killed, ${tooLong} too long, ${survived} survived`);
