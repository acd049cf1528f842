import { summarise } from "@stowage/bench";
import { rowsTable } from "@stowage/bench/results";
import { startService } from "@stowage/interposer";
import { resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { inFolder } from "../parts/in-folder.mjs";
import { compiled, mpiOption, mpisNamed, run } from "../parts/interposed.mjs";

const PACKAGES = fileURLToPath(new URL("../../packages", import.meta.url));
const RANKS = 2;
/** Runs that build the libraries and have code made: what a run has asked for is there in the next. */
const FIRST_RUNS = 3;

/** Nanoseconds from a command's start to its end. */
function nsOf(command, env) {
  const begin = performance.now();
  run(command, { env });
  return (performance.now() - begin) * 1e6;
}

/** Node itself does not wait for its process. */
async function ended(service) {
  const { process: child } = service;
  let isOver = child === undefined;
  child?.once("exit", () => (isOver = true));
  service.end();
  while (!isOver) await setTimeout(5);
}

const workloadOf = (mpi, program) => `${mpi}, ${program}`;

export default {
  name: "run-start",
  question: "What does `stowage run` add to a command that starts MPI and ends it, or sends a datatype besides?",
  kind: "times",
  options: {
    ...mpiOption(["mpich", "openmpi"]),
    turns: { kind: "number", says: "runs of each, in turns", byDefault: 15 },
    modules: { kind: "text", says: "packages: tmp/packages of scripts/stage-packages.mjs, or another build's", byDefault: PACKAGES }, // prettier-ignore
  },
  trial: { mpi: ["openmpi"], turns: 1 },
  cells: ({ mpi: names, modules }) =>
    inFolder("run-start", function* (folder) {
      const env = { ...process.env, XDG_CACHE_HOME: folder, XDG_RUNTIME_DIR: folder };
      const interposed = [process.execPath, resolve(modules, "cli/bin/stowage.js"), "run", "--"];
      for (const mpi of mpisNamed(names)) {
        const program = compiled(mpi.compiler, folder, "run-start.c");
        for (const words of [[], ["datatype"]]) {
          const native = [...mpi.launch, "-n", RANKS, program, ...words];
          const label = { workload: workloadOf(mpi.name, words[0] ?? "start and end") };
          yield { label, env, native, interposed: [...interposed, ...native] };
        }
      }
    }),
  contenders({ env, native, interposed }) {
    const ours = () => nsOf(interposed, env);
    return {
      native: { run: () => nsOf(native, env) },
      node: { run: () => nsOf([process.execPath, "-e", "0"], env) },
      ours: { run: ours },
      "ours, a service runs": {
        async run() {
          const service = await startService(env);
          const ns = ours();
          await ended(service);
          return ns;
        },
      },
    };
  },
  async run(entrants, _, { turns }, lab) {
    for (let i = 0; i < (lab.trial ? 1 : FIRST_RUNS); i++) entrants.ours.run();
    const samples = Object.fromEntries(Object.keys(entrants).map((who) => [who, []]));
    for (let turn = 0; turn < turns; turn++)
      for (const [who, entrant] of Object.entries(entrants)) samples[who].push(await entrant.run());
    const times = Object.entries(samples).map(([who, ns]) => [who, summarise(ns)]);
    const [[, native]] = times;
    return Object.fromEntries(
      times.map(([who, own]) => [who, { ...own, overNativeNs: own.medianNs - native.medianNs }]),
    );
  },
  text: (rows) =>
    rowsTable(
      rows.map(({ workload, contender, medianNs, minNs, overNativeNs }) => ({
        ...{ workload, contender, ms: medianNs / 1e6, least: minNs / 1e6, "over native": overNativeNs / 1e6 },
      })),
    ),
};
