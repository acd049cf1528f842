// What the first commits of a process take, with koffi loaded: of 20 distinct regular datatypes, boxes and vectors in
// turns, all are committed, then each is packed once, then each unpacked once. Processes of this build take turns with
// those of others. node packages/selector/bench/cold-commits.mjs [OUT.json [TURNS [PACKAGES...]]], after npm run build;
// PACKAGES: the folder of another build's packages.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const TYPES = 20;
const STAGES = ["commit", "first pack", "first unpack"];
const here = fileURLToPath(import.meta.url);

/** In a process of its own: microseconds of each datatype in each stage. */
async function measure(packages) {
  const module = (name) => import(pathToFileURL(join(packages, name, "dist/index.js")).href);
  createRequire(join(packages, "backend-x64/dist/index.js"))("koffi");
  const [{ createEngine }, { predefined, subarray, vector }] = await Promise.all([module("selector"), module("ir")]);
  const child = predefined("MPI_DOUBLE");
  const box = (i) =>
    subarray({ sizes: [20, 20, 20 + i], subsizes: [10, 10, 10 + (i >> 1)], starts: [1, 2, 3], order: "C", child });
  const types = Array.from({ length: TYPES }, (_, i) => (i % 2 === 0 ? box(i) : vector(10 + i, 3, 7 + i, child)));
  const [from, to] = [new Uint8Array(2 ** 20), new Uint8Array(2 ** 20)];
  const engine = createEngine();
  const timed = (call) => {
    const begin = performance.now();
    const result = call();
    return { result, us: 1e3 * (performance.now() - begin) };
  };
  const commits = types.map((type) => timed(() => engine.commit(type)));
  const packs = commits.map(({ result }) => timed(() => result.pack(from, to)));
  const unpacks = commits.map(({ result }) => timed(() => result.unpack(to, from)));
  return [commits, packs, unpacks].map((stage) => stage.map(({ us }) => us));
}

function measured(packages) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [here, "--of", packages], { encoding: "utf8" });
  if (status !== 0) throw new Error(`${packages}: expected its first commits, got ${stderr}`);
  return JSON.parse(stdout);
}

const medianOf = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

async function compare([out, turns = "15", ...others]) {
  const { heading, scriptCommand, summarise, writeResults } = await import("@stowage/bench");
  const own = fileURLToPath(new URL("../..", import.meta.url));
  const builds = [own, ...others].map((packages) => ({ packages: resolve(packages), processes: [] }));
  for (let turn = 0; turn < Number(turns); turn++)
    for (const { packages, processes } of turn % 2 === 0 ? builds : builds.toReversed())
      processes.push(measured(packages));
  const figures = {
    "the first": (of) => of[0],
    "median of the first 20": medianOf,
  };
  const rows = builds.flatMap(({ processes }, i) =>
    STAGES.flatMap((stage, s) =>
      Object.entries(figures).map(([what, figure]) => ({
        build: i === 0 ? "this" : `other ${i}`,
        stage,
        what,
        ...summarise(processes.map((stages) => 1e3 * figure(stages[s]))),
      })),
    ),
  );
  for (const { build, stage, what, medianNs, minNs } of rows)
    console.log(
      `${build}, ${stage}, ${what}: ${(medianNs / 1e3).toFixed(0)} us (least ${(minNs / 1e3).toFixed(0)}) over ${turns} processes`,
    );
  if (out !== undefined) writeResults(out, heading(scriptCommand()), rows);
}

const [, , first, ...rest] = process.argv;
if (first === "--of") console.log(JSON.stringify(await measure(rest[0])));
else await compare(first === undefined ? [] : [first, ...rest]);
