import { grouped } from "@stowage/bench";
import { Module } from "@stowage/cuda-driver";
import { print } from "@stowage/ptx";
import { another, backendsOn, backendOn, cellsOn, onGpu, present, SIMULATED } from "../parts/device.mjs";
import { launchOf, programFor, shapeOf, transferOf } from "../parts/strided-kernels.mjs";
import { DENSE_PITCH, FACES, RAGGED, VECTORS } from "../parts/strided-layouts.mjs";

const LOADS = {
  nc: "ld.global.nc.",
  quiet: "ld.global.nc.L1::no_allocate.",
  first: "ld.global.nc.L1::evict_first.",
  "l2-64": "ld.global.nc.L2::64B.",
  "l2-128": "ld.global.nc.L2::128B.",
  plain: "ld.global.",
  cs: "ld.global.cs.",
  lu: "ld.global.lu.",
};
const STORES = { wb: "st.global.", cs: "st.global.cs.", cg: "st.global.cg.", na: "st.global.L1::no_allocate." };
const CASES = [
  ...[...VECTORS, DENSE_PITCH, RAGGED[2], FACES[2]].map((entry) => [entry, "pack"]),
  ...[VECTORS[1], DENSE_PITCH].map((entry) => [entry, "unpack"]),
];

/** Every kernel of a shape's family, by its name. */
function* candidates({ gpu: { context, stream }, cell, input }, { binding, output }, lab) {
  const { source, target } = binding;
  const [scattered, packed] = cell.direction === "pack" ? [source, target] : [target, source];
  const transfer = transferOf(input.layout, scattered.memory.address + cell.originBytes, packed.memory.address);
  const base = shapeOf(transfer, cell.direction, context.device);
  const { multiprocessors, architecture } = context.device;
  for (const vectorsPerThread of [1, 2, 4]) {
    const shape = { ...base, vectorBytes: base.wordBytes, vectorsPerThread };
    const program = programFor([shape], 1);
    const text = print(program.kernel, { arch: architecture });
    for (const [load, loadText] of Object.entries(LOADS))
      for (const [store, storeText] of Object.entries(STORES)) {
        const changed = text
          .replaceAll(/ld\.global\.[\w.:]*?(?=v\d|[bu]\d)/g, loadText)
          .replaceAll(/st\.global\.[\w.:]*?(?=v\d|[bu]\d)/g, storeText);
        let kernel;
        try {
          kernel = new Module(context, changed).kernel(program.kernel.name);
        } catch (error) {
          lab.remark(error.message.slice(0, 200));
          continue;
        }
        for (const threads of [256, 512, 1024])
          for (const each of [0, 512 / threads, 1024 / threads, 2048 / threads]) {
            if (each % 1 !== 0 || (each > 0 && store === "cg")) continue;
            const launch = launchOf(
              kernel,
              program,
              transfer,
              shape,
              threads,
              each === 0 ? Infinity : multiprocessors * each,
            );
            const run = () => (launch.run(stream), stream.synchronize());
            const name = `x${vectorsPerThread} ${load} ${store} ${threads} grid${each || "full"}`;
            yield [name, another({ output, facts: { route: "device" } }, run)];
          }
      }
  }
}

export default {
  name: "strided-shapes",
  question:
    "Which cache hints, threads a block, vectors a thread and blocks a multiprocessor are best for strided kernels?",
  kind: "moves",
  options: SIMULATED,
  trial: "a GPU whose compiler takes each cache hint",
  *cells(given, lab) {
    yield* onGpu(given, lab, function* (gpu) {
      const strided = backendsOn(gpu).get("cuda-strided");
      for (const [{ name, datatype, count }, direction] of CASES)
        for (const cell of cellsOn(gpu, name, datatype, { count, directions: [direction] })) yield { ...cell, strided };
    });
  },
  contenders(cell, _, lab) {
    const chosen = backendOn(cell, cell.strided);
    return present(Object.fromEntries([["cuda-strided", chosen], ...candidates(cell, chosen, lab)]));
  },
  /** The quickest 12 of each cell, and the slowest two. */
  text(rows) {
    const cells = grouped(rows, ({ workload, direction }) => `${workload} ${direction}`);
    return [...cells]
      .map(([name, cell]) => {
        const ranked = cell.toSorted((a, b) => a.medianNs - b.medianNs);
        const lines = [...ranked.slice(0, 12), ...ranked.slice(-2)];
        return [
          name,
          ...lines.map(({ contender, medianNs }) => `  ${(medianNs / 1e3).toFixed(2)} us ${contender}`),
        ].join("\n");
      })
      .join("\n");
  },
};
