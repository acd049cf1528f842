import { deviceExperiment, KERNELS, timesOf } from "../parts/device-programs.mjs";

export default deviceExperiment({
  name: "interposer-device-parts",
  question: "What are messages between two GPUs made of: launches, ways to wait, the MPI's envelope, a peer's memory?",
  kind: "times",
  program: "device-parts",
  options: KERNELS,
  runs: ({ kernels }) => [{ launches: [{ ranks: 2, words: [kernels] }] }],
  rowsOf: (lines) =>
    lines.map(({ what, bytes, ...line }) => ({
      ...{ workload: what, packedBytes: bytes, contender: what.startsWith("MPI") ? "MPI" : "driver", ...timesOf(line) },
    })),
});
