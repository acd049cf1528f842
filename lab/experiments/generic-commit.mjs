import { CudaGenericBackend } from "@stowage/backend-cuda-generic";
import { summarise, workloadOfSize } from "@stowage/bench";
import { backendOn, cellsOn, onGpu, SIMULATED } from "../parts/device.mjs";

const WORKLOADS = [
  "contiguous@1KiB",
  "vector-8@1KiB",
  "vector-8@1MiB",
  "struct24@17000",
  "subarray4d-32",
  "fields-halo-x",
  "halo26/all",
  "indexed-8@1KiB",
  "indexed-random@1KiB",
  "indexed-random@1MiB",
  "lammps-atoms@1MiB",
];
/** Above this a list takes milliseconds: fewer of its commits are timed. */
const LONG_LIST_BYTES = 2 ** 18;

/** Commit is compile and load, bind ends with a plan that can run. The kernels are loaded, and another plan lives. */
export default {
  name: "generic-commit",
  question: "What do committing and binding cost where the driver knows the kernels?",
  kind: "moves",
  options: {
    ...SIMULATED,
    workloads: { kind: "texts", says: "names, with sizes where they have one", byDefault: WORKLOADS },
    rounds: { kind: "number", says: "samples; of long lists a quarter", byDefault: 400 },
  },
  trial: { simulated: true, workloads: ["vector-8@1KiB", "indexed-8@1KiB"], rounds: 4 },
  *cells(given, lab) {
    yield* onGpu(given, lab, function* (gpu) {
      for (const asked of given.workloads) {
        const { name, datatype, count } = workloadOfSize(asked);
        const backend = new CudaGenericBackend({ driver: gpu.driver });
        for (const cell of cellsOn(gpu, name, datatype, { count, route: "device" })) yield { ...cell, backend };
      }
    });
  },
  // Another plan lives, as in any program that moves more than one datatype: plans share memory.
  contenders: (cell) => ({ other: backendOn(cell, cell.backend) }),
  run({ other }, { label: { workload, packedBytes }, backend }, { rounds }) {
    other.check();
    const { move, kinds, binding } = other;
    const samples = { commit: [], bind: [] };
    const timed = workload.startsWith("indexed") && packedBytes > LONG_LIST_BYTES ? rounds / 4 : rounds;
    for (let round = -Math.ceil(rounds / 4); round < timed; round++) {
      const begun = performance.now();
      const kernel = backend.load(backend.compile([move], kinds));
      const committed = performance.now();
      const plan = kernel.bind([binding]);
      const bound = performance.now();
      if (round >= 0) {
        samples.commit.push((committed - begun) * 1e6);
        samples.bind.push((bound - committed) * 1e6);
      }
      plan[Symbol.dispose]();
      kernel[Symbol.dispose]();
    }
    return {
      "cuda-generic/commit": { ...summarise(samples.commit), firstCommitAndBindNs: other.facts.commitNs },
      "cuda-generic/bind": summarise(samples.bind),
    };
  },
};
