import { formatNs, grouped, significant, summarise } from "@stowage/bench";
import { currentLoad } from "@stowage/overheads";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { compiled, mpisNamed, preloadOf, served } from "../parts/interposed.mjs";
import { AS_ROOT } from "../parts/mpis.mjs";
import { ran } from "../parts/programs.mjs";

const PROGRAMS = fileURLToPath(new URL("../../packages/interposer/tests/programs/", import.meta.url));
const RANKS = 2;
/** Runs until what they asked for is compiled. */
const FIRST_RUNS = 3;
const COMPILE_MS = 2000;
const WIDER = 8;
const PARTS = { medianNs: "whole", writtenNs: "writing", readNs: "reading" };

/** What a run printed and took, the parts of it by its own clock, and the bytes by our code and natively. */
function runOf([command, ...args]) {
  const begin = performance.now();
  const { stdout, stderr } = ran(command, args.map(String), { env: { ...process.env, ...AS_ROOT } });
  const ns = (performance.now() - begin) * 1e6;
  const [, written, read] = /written in (\S+) s, read in (\S+) s/.exec(stderr);
  const counts = [...stderr.matchAll(/of (\d+) bytes by our code, \d+ of (\d+) bytes natively/g)];
  const [ours, native] = [1, 2].map((i) => counts.reduce((sum, each) => sum + Number(each[i]), 0));
  return { stdout, ns, writtenNs: written * 1e9, readNs: read * 1e9, ours, native };
}

function timesOf(runs) {
  const parts = ["writtenNs", "readNs"].map((part) => [part, summarise(runs.map((each) => each[part])).medianNs]);
  const { ours, native } = runs[0];
  const shareOfOurs = ours === 0 ? 0 : Number((ours / (ours + native)).toFixed(4));
  return { ...summarise(runs.map(({ ns }) => ns)), ...Object.fromEntries(parts), shareOfOurs };
}

/** The tests' programs, with more elements: HDF5's runs are of one element, and take the MPI longer. */
function programsOf(mpi, all, edge) {
  const folder = join(all, String(edge));
  mkdirSync(folder);
  const slabs = "../../packages/interposer/tests/programs/slabs.c";
  const program = compiled(mpi.compiler, folder, slabs, [`-DEDGE=${WIDER * edge}`, "-lpnetcdf"]);
  const python = ["env", "H5PY_ALWAYS_USE_MPI=1", "/usr/bin/python3", join(PROGRAMS, "hyperslabs.py")];
  return [
    {
      workload: `PnetCDF: 6 variables of ${WIDER * edge}^2 doubles a rank, with ghost cells`,
      words: [program, join(folder, "slabs.nc")],
    },
    {
      workload: `HDF5 by h5py: 12 datasets of ${edge}^2 elements a rank, by strided hyperslabs`,
      words: [...python, join(folder, "slabs.h5"), edge, edge],
    },
  ];
}

export default {
  name: "interposer-io-programs",
  question:
    "What does the interposer bring programs of PnetCDF and parallel HDF5, which write and read files by MPI-IO?",
  kind: "times",
  options: {
    edges: { kind: "numbers", says: "rows and columns of a rank", byDefault: [64, 128] },
    samples: { kind: "number", says: "runs natively and with our code, in turns", byDefault: 9 },
  },
  trial: "PnetCDF and parallel h5py under Open MPI: Debian's libpnetcdf-dev and python3-h5py-mpi",
  cells: ({ edges }, lab) =>
    served(async function* (folder, variables) {
      const [mpi] = mpisNamed(["openmpi"]);
      const launch = [...mpi.launch, "-n", RANKS, "env"];
      const ours = [...launch, await preloadOf(mpi), ...variables, "STOWAGE_VERBOSE=1"];
      lab.note({ load: await currentLoad(RANKS), parts: "medians; rank 0's clock" });
      for (const edge of edges)
        for (const { workload, words } of programsOf(mpi, folder, edge))
          yield { label: { workload, edge }, native: [...launch, ...words], ours: [...ours, ...words] };
    }),
  contenders: () => ({}),
  async run(_, { native, ours }, { samples }) {
    for (let i = 0; i < FIRST_RUNS; i++) {
      runOf(ours);
      await setTimeout(COMPILE_MS);
    }
    const runs = { native: [], ours: [] };
    for (let i = 0; i < samples; i++) {
      runs.native.push(runOf(native));
      runs.ours.push(runOf(ours));
    }
    const hashes = new Set([...runs.native, ...runs.ours].map(({ stdout }) => stdout));
    if (hashes.size !== 1) throw new Error(`expected the same file and elements in each run, got ${hashes.size}`);
    return { native: timesOf(runs.native), ours: timesOf(runs.ours) };
  },
  text: (rows) =>
    [...grouped(rows, ({ workload }) => workload)]
      .map(([workload, cell]) => {
        const [native, ours] = ["native", "ours"].map((who) => cell.find(({ contender }) => contender === who));
        const parts = Object.entries(PARTS).map(
          ([key, part]) =>
            `${part} ${formatNs(native[key])}, ours ${formatNs(ours[key])} (${significant(native[key] / ours[key])})`,
        );
        return `${workload}: ${parts.join("; ")}; ${significant(ours.shareOfOurs * 100)} % by our code`;
      })
      .join("\n"),
};
