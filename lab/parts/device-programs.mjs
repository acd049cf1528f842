// Experiments on programs in C whose ranks have a GPU each (lab/c/device-ranks.h): a program is built and run here,
// under `stowage run`, or it was run by hand on another machine, and the lines of JSON that it printed are read.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { noteMachine } from "./device.mjs";
import { inFolder } from "./in-folder.mjs";
import { compiled } from "./interposed.mjs";
import { AS_ROOT } from "./mpis.mjs";
import { jsonLines, ran } from "./programs.mjs";

const STOWAGE = fileURLToPath(new URL("../../node_modules/.bin/stowage", import.meta.url));
/** More ranks than processors, for every release of Open MPI. */
const OVERSUBSCRIBED = {
  OMPI_MCA_rmaps_base_oversubscribe: "1",
  PRTE_MCA_rmaps_default_mapping_policy: ":oversubscribe",
};
/** From GPU memory to GPU memory at no size. */
const NO_IPC = `ipc ${2 ** 30}`;

export const KERNELS = {
  kernels: { kind: "text", says: "nvcc -cubin -arch=sm_90 -o device-hand.cubin lab/c/device-hand.cu: that cubin" },
};
export const ROUTES = {
  routes: {
    kind: "texts",
    says: "one-shot, device, pipelined or ipc, each forced, or as chosen; those of --printed, a file each",
    byDefault: ["chosen"],
  },
};
const PRINTED = {
  printed: {
    kind: "texts",
    says: "files that lab/c's program printed on another machine, built and run as its head says",
  },
  machine: { kind: "text", says: "what was recorded of that machine, as JSON: cpu, cores, gpu and others" },
  commit: { kind: "text", says: "the commit that was run there" },
};

/** The variables that force a route of the interposer by a table of its own. */
export function routeVariables(folder, route) {
  if (route === "chosen") return {};
  const path = join(folder, `routes-${route}`);
  const rules = route === "ipc" ? "ipc 1" : `${NO_IPC}\nroute 0 0 ${route}`;
  writeFileSync(path, `stowage-device-routes 2\n${rules}\n`);
  return { STOWAGE_DEVICE_ROUTES: path };
}

/** What a program printed of one run, and what the interposer said: { ranks, words, variables, verify }. */
function launched(program, { ranks, words, variables = {}, verify = false }) {
  if (words.includes(undefined)) throw new Error("--kernels: expected a cubin of lab/c/device-hand.cu, got none");
  const env = { ...process.env, ...AS_ROOT, ...OVERSUBSCRIBED, ...variables };
  const interposed = [STOWAGE, "run", ...(verify ? ["--verbose", "--verify"] : []), "--"];
  const launch = ranks === undefined ? [program] : [process.execPath, ...interposed, "mpirun", "-n", ranks, program];
  const [command, ...args] = [...launch, ...words].map(String);
  // The code that a run asks for is there in the next.
  if (ranks !== undefined) ran(command, args, { env });
  const { stdout, stderr } = ran(command, args, { env });
  return jsonLines(stdout).map((line) => ({ ...line, ...(verify ? { verify, ...comparedOf(stderr) } : {}) }));
}

/** Sums of what the ranks say at their ends under --verify. */
function comparedOf(told) {
  const ranks = [...told.matchAll(/rank \d+: (\d+) ranges compared, (\d+) differences/g)];
  const sum = (i) => ranks.reduce((all, match) => all + Number(match[i]), 0);
  return { rangesCompared: sum(1), differences: sum(2) };
}

/** What a file says of the machine where a program printed; nothing of this one holds of it. */
function machineThere(text = "{}") {
  const machine = JSON.parse(text);
  if (["cpu", "cores", "gpu"].some((name) => machine[name] === undefined))
    throw new Error(`--machine: expected cpu, cores and gpu of where --printed comes from, got ${text}`);
  return { processor: null, driver: null, node: "none: a program in C", ...machine };
}

/**
 * An experiment whose rows are `rowsOf(lines, run)`, of each of `runs(given, folder)`, which says what is launched and
 * how often: { launches, ... }. `compiler`: mpicc, but for a program without ranks.
 */
export const deviceExperiment = ({ program, compiler = "mpicc", runs, rowsOf, options = {}, ...others }) => ({
  trial: "GPUs, with an MPI for its mpicc",
  ...others,
  options: { ...options, ...PRINTED },
  cells: (given, lab) =>
    inFolder("devices", function* (folder) {
      const { printed, machine, commit } = given;
      const all = runs(given, folder);
      const cellOf = (run, lines) => ({ label: { workload: program }, run, isAlone: all.length === 1, lines });
      if (printed !== undefined) {
        if (printed.length !== all.length)
          throw new Error(`--printed: expected ${all.length} files, one for each of --routes, got ${printed.length}`);
        const dates = printed.map((path) => statSync(path).mtime.toISOString());
        lab.note({ machine: machineThere(machine), printed: { commit, dates } });
        for (const [i, path] of printed.entries()) yield cellOf(all[i], () => jsonLines(readFileSync(path, "utf8")));
      } else if (all.length > 0) {
        noteMachine(given, lab);
        const built = compiled(compiler, folder, `${program}.c`, ["-l:libcuda.so.1"]);
        for (const run of all) yield cellOf(run, () => run.launches.flatMap((each) => launched(built, each)));
      }
    }),
  contenders: () => ({}),
  run(_, { run, isAlone, lines }) {
    const all = lines();
    const wrong = all.find(({ verified, wrongBytes = 0 }) => verified === false || wrongBytes > 0);
    if (wrong !== undefined)
      throw new Error(`${program}: expected the bytes that were sent, got ${JSON.stringify(wrong)}`);
    return { rows: rowsOf(all, run, isAlone) };
  },
  rows: (_, { rows }) => rows,
});

const NAMES = {
  type: "interposer",
  messages: "interposer, MPI_Isend and MPI_Irecv",
  persistent: "interposer, persistent requests",
  neighbours: "interposer, MPI_Neighbor_alltoallw",
  hand: "hand-written kernels",
  bytes: "MPI on pinned bytes",
};
const OURS = ["type", "messages", "persistent", "neighbours"];

/** Of several routes, contenders are told apart by theirs, or by which they took turns with. */
function nameOf(contender, route, isAlone) {
  if (isAlone) return NAMES[contender];
  if (!OURS.includes(contender)) return `${NAMES[contender]}, in turns with ${route}`;
  return `${NAMES[contender]}, route ${route === "chosen" ? "by the profile" : route}`;
}

const ns = (us) => Math.round(us * 1000);
export const timesOf = ({ medianUs, minUs, maxUs, runs }) => ({
  ...{ medianNs: ns(medianUs), minNs: ns(minUs), maxNs: ns(maxUs), runs },
});

/** A row of a line of contenders that sent from GPU to GPU: theirs go by pinned memory, ours by a route. */
export const exchangeRow = (workload, { contender, bytes, ...line }, { route }, isAlone) => ({
  ...{ workload, count: 1, packedBytes: bytes, direction: "copy" },
  route: OURS.includes(contender) ? route : "one-shot",
  ...{ contender: nameOf(contender, route, isAlone), ...timesOf(line), verified: true },
});
