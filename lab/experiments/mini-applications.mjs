import { grouped, significant } from "@stowage/bench";
import { join } from "node:path";
import { MPI, mpisHere } from "../parts/mpis.mjs";
import { jsonOf } from "../parts/programs.mjs";

/** Problem sizes of the DAME paper (FFT2), and iterations that take a few seconds. */
const APPLICATIONS = {
  fft2: { option: "--size", ranks: 2, runs: { 256: 100, 512: 40, 768: 16, 1024: 10, 1536: 4 } },
  milc: { option: "--points", ranks: 4, runs: { 4: 200, 8: 60, 12: 16, 16: 6 } },
};
const TIMEOUT_MS = 85_000;

export default {
  name: "mini-applications",
  question: "What do our datatypes bring FFT2 and MILC over native ones? (DAME, section 6.6)",
  kind: "figures",
  options: {
    ...MPI,
    only: { kind: "text", of: Object.keys(APPLICATIONS), says: "one of the applications" },
    examples: { kind: "text", says: "the folder of their programs", byDefault: "packages/mpi-bridge/examples" },
  },
  trial: { only: "fft2" },
  *cells(given, lab) {
    for (const mpi of mpisHere(given))
      for (const [workload, { option, ranks, runs }] of Object.entries(APPLICATIONS)) {
        if (given.only !== undefined && given.only !== workload) continue;
        for (const [size, iterations] of lab.trial ? [[16, 1]] : Object.entries(runs)) {
          const label = { mpi: mpi.family, workload, size: Number(size), ranks, iterations };
          const program = [
            process.execPath,
            join(given.examples, workload, `${workload}.mjs`),
            option,
            size,
            "--iterations",
            iterations,
          ];
          yield { label, mpi, command: [...program, "--check", "--json"] };
        }
      }
  },
  contenders: () => ({}),
  /** Both take turns in one process, whose last values are compared with a serial run's. */
  run(_, { label: { ranks }, mpi, command }) {
    const { native, ours } = jsonOf(mpi.launch(ranks, command, { timeout: TIMEOUT_MS }));
    return { native, ours };
  },
  rows: ({ label }, measured) =>
    Object.entries(measured).map(([contender, found]) => ({ ...label, contender, verified: true, ...found })),
  text(rows) {
    const cells = grouped(rows, ({ workload, size, ranks, mpi }) => `${workload} ${size} on ${ranks} ranks, ${mpi}`);
    return [...cells]
      .map(([name, [native, ours]]) => {
        const times = (field) => `${significant(native[field] / ours[field])} times as fast`;
        return `${name}: ours ${times("overallMs")} overall, ${times("nonWaitMs")} without waiting`;
      })
      .join("\n");
  },
};
