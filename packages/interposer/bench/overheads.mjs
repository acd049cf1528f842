// What a program pays that gains nothing: instructions of a contiguous message (callgrind), and MPI_Type_commit
// natively, missed, from disk and from memory, in launches that take turns. With a built checkout of another state its
// library takes turns too. node packages/interposer/bench/overheads.mjs [--against CHECKOUT] [--launches N]
// [--mpi openmpi,mpich] [--json FILE]; needs valgrind.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { commitHash, scriptCommand, summarise, turnsOf } from "@stowage/bench";

const { values: options } = parseArgs({
  options: {
    against: { type: "string" },
    launches: { type: "string", default: "15" },
    mpi: { type: "string", default: "openmpi,mpich" },
    json: { type: "string" },
  },
});
const here = fileURLToPath(new URL(".", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "stowage-overheads-"));
const [FEW, MANY, CYCLES] = [1000, 21_000, 100_000];
/** How long a service is given to compile what commits.c commits. */
const SERVICE_MS = 3000;
const base = { ...process.env, OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1" };

function run(words, variables) {
  const { status, stdout, stderr } = spawnSync("env", [...variables, ...words], { encoding: "utf8", env: base });
  if (status !== 0) throw new Error(`${words[0]}: expected to end with 0, got ${status}: ${stderr.slice(-300)}`);
  return `${stdout}\n${stderr}`;
}

/** Instructions of one message to this rank itself, received and sent. */
function instructions(program, variables) {
  const [few, many] = [FEW, MANY].map((turns) => {
    const out = `--callgrind-out-file=${join(folder, "callgrind")}`;
    const words = ["valgrind", "--tool=callgrind", out, program, String(turns)];
    return Number(/Collected : (\d+)/.exec(run(words, variables))?.[1]);
  });
  return Number(((many - few) / (MANY - FEW)).toFixed(1));
}

/** The interposer of a checkout: its package as a user would import it, and the state that it is of. */
async function builtIn(checkout) {
  const path = resolve(checkout, "packages/interposer/dist/index.js");
  if (!existsSync(path))
    throw new Error(`--against: expected a checkout that is built, got ${checkout} without ${path}`);
  const { stdout } = spawnSync("git", ["-C", checkout, "rev-parse", "HEAD"], { encoding: "utf8" });
  return { commit: stdout.slice(0, 12), ...(await import(pathToFileURL(path).href)) };
}

const root = fileURLToPath(new URL("../../..", import.meta.url));
const checkouts = { ours: root, ...(options.against === undefined ? {} : { against: options.against }) };
const builds = [];
for (const [name, checkout] of Object.entries(checkouts)) {
  const build = await builtIn(checkout);
  const cache = join(folder, `cache-${name}`);
  builds.push({ ...build, name, cache, service: await build.startService({ ...process.env, STOWAGE_CACHE: cache }) });
}

/** Who takes turns: natively, and each build with an empty cache and with a full one, a service beside both. */
const contendersOf = (preloads) => [
  { name: "native", variables: ["A=1"] },
  ...builds.flatMap(({ name, cache, service }) => {
    const shared = [preloads[name], `STOWAGE_SERVICE=${service.path}`];
    return [
      { name: `${name} miss`, variables: [...shared, `STOWAGE_CACHE=${join(folder, "empty")}`] },
      { name: `${name} full`, variables: [...shared, `STOWAGE_CACHE=${cache}`] },
    ];
  }),
];

/** Median, least and most nanoseconds of commits over all launches, by contender. */
async function commitTimes(program, contenders) {
  const launch = ({ variables }, cycles = 0) => JSON.parse(/\{.*\}/.exec(run([program, String(cycles)], variables))[0]);
  for (const contender of contenders) launch(contender);
  await setTimeout(SERVICE_MS);
  const first = contenders.map(() => []);
  const later = contenders.map(() => []);
  for (let round = 0; round < Number(options.launches); round++)
    for (const i of turnsOf(contenders.length, round)) {
      const got = launch(contenders[i]);
      first[i].push(got.firstCommitNs);
      later[i].push(got.laterCommitNs);
    }
  return {
    commitNs: Object.fromEntries(
      contenders.map(({ name }, i) => [name, { first: summarise(first[i]), later: summarise(later[i]) }]),
    ),
    resident: launch(
      contenders.find(({ name }) => name === "ours full"),
      CYCLES,
    ),
  };
}

const rows = [];
try {
  for (const mpi of options.mpi.split(",")) {
    const built = (name) => {
      const program = join(folder, `${name}-${mpi}`);
      run([`mpicc.${mpi}`, "-O2", "-o", program, join(here, `${name}.c`)], []);
      return program;
    };
    const preloads = {};
    for (const { name, buildLibrary } of builds)
      preloads[name] = `LD_PRELOAD=${(await buildLibrary(`mpicc.${mpi}`)).path}`;
    const contiguous = built("contiguous");
    const counted = Object.fromEntries(
      ["native", ...builds.map(({ name }) => name)].map((name) => [
        name,
        instructions(contiguous, [preloads[name] ?? "A=1"]),
      ]),
    );
    const { commitNs, resident } = await commitTimes(built("commits"), contendersOf(preloads));
    const row = {
      mpi,
      instructions: counted,
      commitNs,
      residentKiB: { before: resident.residentKiBBefore, after: resident.residentKiBAfter, cycles: CYCLES },
    };
    rows.push(row);
    console.log(JSON.stringify(row, null, 1));
  }
  if (options.json !== undefined) {
    const file = {
      schema: "stowage-interposer-overheads/2",
      command: scriptCommand(),
      date: new Date().toISOString(),
      commit: commitHash(),
      against: builds.find(({ name }) => name === "against")?.commit ?? null,
      machine: { cpu: cpus()[0].model, cores: cpus().length, node: process.version },
      rows,
    };
    writeFileSync(options.json, `${JSON.stringify(file, null, 1)}\n`);
  }
} finally {
  for (const { service } of builds) service.process?.kill();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
