// What committing and binding cost: node commit.mjs OUT.json [--simulated]. Medians, the kernels loaded and another
// plan alive: commit is compile and load, bind ends with a plan that can run.
import { conditions, packMove } from "@stowage/backend-api";
import { CudaGenericBackend } from "@stowage/backend-cuda-generic";
import { openCuda, openSimulatedCuda } from "@stowage/cuda-driver";
import { cellsOf, heading, summarise, workloadOfSize, writeResults } from "@stowage/bench";
import { CellInput, Gpu, packedOutput } from "@stowage/bench/device";

const [out = "commit.json"] = process.argv.slice(2).filter((arg) => !arg.startsWith("--"));
const simulated = process.argv.includes("--simulated");
const gpu = new Gpu(simulated ? openSimulatedCuda() : openCuda());
const CELLS = [
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
const ROUNDS = 400;
const WARM_UP = 100;
const kinds = conditions({ sourceKind: "device", targetKind: "device" });
const head = heading("node packages/backend-cuda-generic/bench/commit.mjs OUT", gpu.machine);
const rows = [];
gpu.warmUp();

for (const asked of CELLS) {
  const { name, datatype, count } = workloadOfSize(asked);
  const [cell] = cellsOf(name, datatype, count);
  if (simulated && cell.pattern.sizeBytes > 2 ** 25) continue;
  const input = new CellInput(gpu, cell);
  const output = packedOutput(gpu, cell, "device");
  const backend = new CudaGenericBackend({ driver: gpu.driver });
  // Another plan lives, as in any program that moves more than one datatype: plans share memory.
  const start = performance.now();
  const otherKernel = backend.load(backend.compile([packMove(input.layout)], kinds));
  const loaded = performance.now();
  const length = cell.packedBytes;
  const binding = {
    source: { memory: input.scattered, originBytes: cell.originBytes },
    target: { memory: output.memory, originBytes: 0 },
    count,
    first: 0,
    length,
  };
  const beforeBind = performance.now();
  const otherPlan = otherKernel.bind([binding]);
  const firsts = { commit: loaded - start, bind: performance.now() - beforeBind };
  otherPlan.run(gpu.stream).wait();
  output.check("cuda-generic");
  const commits = [];
  const binds = [];
  const rounds = length > 2 ** 18 && asked.startsWith("indexed") ? ROUNDS / 4 : ROUNDS;
  for (let round = -WARM_UP; round < rounds; round++) {
    const before = performance.now();
    const kernel = backend.load(backend.compile([packMove(input.layout)], kinds));
    const committed = performance.now();
    const plan = kernel.bind([binding]);
    const bound = performance.now();
    if (round >= 0) {
      commits.push((committed - before) * 1e6);
      binds.push((bound - committed) * 1e6);
    }
    plan[Symbol.dispose]();
    kernel[Symbol.dispose]();
  }
  for (const [what, samples] of Object.entries({ commit: commits, bind: binds })) {
    const row = {
      workload: name,
      count,
      packedBytes: length,
      direction: "pack",
      route: "device",
      contender: `cuda-generic/${what}`,
      ...summarise(samples),
      verified: true,
      commitNs: 0,
    };
    rows.push(row);
    console.log(
      `${name.padEnd(16)} ${String(length).padStart(9)} ${what.padEnd(6)} median ${(row.medianNs / 1000).toFixed(1).padStart(8)} us, first ${(firsts[what] * 1000).toFixed(0).padStart(7)} us`,
    );
  }
  for (const held of [otherPlan, otherKernel, backend]) held[Symbol.dispose]();
  output[Symbol.dispose]();
  input[Symbol.dispose]();
  if (!simulated) writeResults(out, head, rows);
}
