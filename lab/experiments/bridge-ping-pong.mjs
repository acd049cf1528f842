import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { inFolder } from "../parts/in-folder.mjs";
import { MPI, mpisHere } from "../parts/mpis.mjs";
import { jsonOf } from "../parts/programs.mjs";

const PROGRAM = fileURLToPath(new URL("../c/bridge-ping-pong.c", import.meta.url));
const NODE = fileURLToPath(new URL("../parts/bridge-ping-pong.mjs", import.meta.url));
const SIZES = [
  { bytes: 8, turns: 20_000, samples: 9 },
  { bytes: 2 ** 20, turns: 200, samples: 21 },
];
const FEW = [{ bytes: 8, turns: 2, samples: 1 }];

const least = (all) => all.reduce((best, each) => (each.medianNs < best.medianNs ? each : best));

export default {
  name: "bridge-ping-pong",
  question: "What does a message between two ranks cost from Node, beside C on the same MPI?",
  kind: "times",
  options: { ...MPI, rounds: { kind: "number", says: "runs of each program", byDefault: 3 } },
  trial: { rounds: 1 },
  async *cells(given, lab) {
    yield* inFolder("ping-pong", function* (folder) {
      for (const mpi of mpisHere(given)) {
        const program = join(folder, mpi.family);
        mpi.compile(program, PROGRAM);
        for (const size of lab.trial ? FEW : SIZES)
          yield { label: { mpi: mpi.family, workload: "ping-pong", packedBytes: size.bytes }, mpi, program, size };
      }
    });
  },
  contenders({ mpi, program, size }, _, { trial }) {
    const words = Object.values(size);
    const programs = { c: [program, ...words], node: [process.execPath, NODE, ...words] };
    const launched = (command) => jsonOf(mpi.launch(2, command, { bound: !trial }));
    return Object.fromEntries(
      Object.entries(programs).map(([who, command]) => [who, { run: () => launched(command) }]),
    );
  },
  /** Of the runs of each, which take turns, the one with the least median; the programs check their bytes. */
  run(entrants, _, { rounds }) {
    const all = Array.from({ length: rounds }, () => Object.values(entrants).map(({ run }) => run()));
    const found = Object.keys(entrants).map((who, i) => [who, least(all.map((round) => round[i]))]);
    return Object.fromEntries(found.map(([who, times]) => [who, { ...times, verified: true }]));
  },
};
