import { formatNs, grouped, significant, summarise } from "@stowage/bench";
import { fileURLToPath } from "node:url";
import { mpisNamed, preloadOf, run, served } from "../parts/interposed.mjs";

const PROGRAM = fileURLToPath(new URL("../c/fft2.py", import.meta.url));
const RANKS = 2;
/** Elements that are transformed in one sample, so that samples of small fields last as long. */
const TRANSFORMED_A_SAMPLE = 2 ** 21;
const MOST_ERROR = 1e-10;

const workloadOf = (size) => `2D FFT of ${size}^2 complex doubles by mpi4py-fft, forward and backward`;

/** Of samples in seconds, each of a transform there and back, and of its transposes. */
function timesOf(samples) {
  const [whole, transposes] = [0, 1].map((i) => summarise(samples.map((sample) => sample[i] * 1e9)));
  return { ...whole, transposesMedianNs: transposes.medianNs, transposesMinNs: transposes.minNs };
}

export default {
  name: "interposer-application",
  question: "What does the interposer bring a known application end to end, a 2D FFT by mpi4py-fft?",
  kind: "times",
  options: {
    sizes: { kind: "numbers", says: "edges of the field", byDefault: [256, 512, 1024, 2048] },
    samples: { kind: "number", says: "with the MPI's packing and with ours, in turns", byDefault: 15 },
  },
  trial: "mpi4py-fft under Open MPI: Debian's python3-mpi4py-fft",
  cells: ({ sizes }) =>
    served(async function* (_, variables) {
      const [mpi] = mpisNamed(["openmpi"]);
      const environment = ["env", await preloadOf(mpi), ...variables, "OMP_NUM_THREADS=1"];
      const command = [...mpi.launch, "-n", RANKS, ...environment, "/usr/bin/python3", PROGRAM];
      for (const size of sizes) yield { label: { workload: workloadOf(size), size, ranks: RANKS }, command };
    }),
  contenders: () => ({}),
  run(_, { label: { size }, command }, { samples }) {
    const turns = Math.max(1, Math.floor(TRANSFORMED_A_SAMPLE / size ** 2));
    const { error, ourBytes, nativeBytes, native, ours } = JSON.parse(run([...command, size, samples, turns]));
    if (!(error < MOST_ERROR)) throw new Error(`fft2.py: expected the field back, got one off by ${error}`);
    const shareOfOurs = Number((ourBytes / (ourBytes + nativeBytes)).toFixed(4));
    return { native: timesOf(native), ours: { ...timesOf(ours), shareOfOurs } };
  },
  /** Ratios of least times. */
  text: (rows) =>
    [...grouped(rows, ({ size }) => size)]
      .map(([size, cell]) => {
        const [native, ours] = ["native", "ours"].map((who) => cell.find(({ contender }) => contender === who));
        const shown = (row) => `${formatNs(row.minNs)}, ${formatNs(row.transposesMinNs)} in transposes`;
        const faster = (name) => significant(native[name] / ours[name]);
        return `${size}^2: native ${shown(native)}; ours ${shown(ours)}; ${faster("minNs")} times as fast, transposes ${faster("transposesMinNs")}`;
      })
      .join("\n"),
};
