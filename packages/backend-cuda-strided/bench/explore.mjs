// Which cache hints, threads a block, vectors a thread and blocks a multiprocessor are best: node explore.mjs.
// The best and worst of each layout and direction, medians in us.
import { programFor, shapeName, shapeOf, tileBytes, writeRecord } from "@stowage/backend-cuda-strided";
import { Module, openCuda } from "@stowage/cuda-driver";
import { stridedBlock } from "@stowage/ir";
import { print } from "@stowage/ptx";
import * as layouts from "./layouts.mjs";

const context = openCuda().context();
const { multiprocessors, architecture } = context.device;
const stream = context.stream();
const scattered = context.deviceMemory(4.25 * 2 ** 30);
const packed = context.deviceMemory(2 ** 26);
scattered.fill(3, stream);
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
const geometryOf = ({ layout }) => {
  const { startBytes, counts, stridesBytes } = stridedBlock(layout);
  const dimensions = counts.slice(1).map((count, i) => ({ count, strideBytes: stridesBytes[i + 1] }));
  return { startBytes, rowBytes: counts[0], dimensions };
};
function candidates(entry, direction) {
  const length = entry.layout.sizeBytes;
  const transfer = {
    geometry: geometryOf(entry),
    scatteredAddress: scattered.address,
    packedAddress: packed.address,
    first: 0,
    length,
  };
  const base = shapeOf(transfer, direction, context.device);
  const list = [];
  for (const vectorsPerThread of [1, 2, 4]) {
    const shape = { ...base, vectorBytes: base.wordBytes, vectorsPerThread };
    const program = programFor([shape], 1);
    const text = print(program.kernel, { arch: architecture });
    for (const [load, loadText] of Object.entries(LOADS)) {
      for (const [store, storeText] of Object.entries(STORES)) {
        const changed = text
          .replaceAll(/ld\.global\.[\w.:]*?(?=v\d|[bu]\d)/g, loadText)
          .replaceAll(/st\.global\.[\w.:]*?(?=v\d|[bu]\d)/g, storeText);
        let kernel;
        try {
          kernel = new Module(context, changed).kernel(program.kernel.name);
        } catch (error) {
          console.log(error.message.slice(0, 200));
          continue;
        }
        for (const threads of [256, 512, 1024]) {
          const tiles = Math.ceil(length / tileBytes(shape, threads));
          for (const perMultiprocessor of [0, 512 / threads, 1024 / threads, 2048 / threads]) {
            if (perMultiprocessor % 1 !== 0 || (perMultiprocessor > 0 && store === "cg")) continue;
            const blocks = perMultiprocessor === 0 ? tiles : Math.min(tiles, multiprocessors * perMultiprocessor);
            const launch = kernel.launch(program.recordsOffset + program.recordBytes, {
              grid: { x: blocks },
              block: { x: threads },
            });
            launch.parameters.setUint32(0, tiles, true);
            launch.parameters.setUint32(4, 1, true);
            writeRecord(launch.parameters, program.recordsOffset, transfer, shape, { firstTile: 0, shapeIndex: 0 });
            list.push({
              name: `x${vectorsPerThread} ${load} ${store} ${threads} grid${perMultiprocessor || "full"}`,
              launch,
              samples: [],
            });
          }
        }
      }
    }
  }
  console.log(`${entry.name} ${direction}: ${shapeName(base)}, ${list.length} candidates`);
  return list;
}
const pairs = [
  ...[...layouts.VECTORS, layouts.DENSE_PITCH].map((entry) => [entry, "pack"]),
  [layouts.VECTORS[1], "unpack"],
  [layouts.DENSE_PITCH, "unpack"],
  [layouts.RAGGED[2], "pack"],
  [layouts.FACES[2], "pack"],
];
for (const [entry, direction] of pairs) {
  const list = candidates(entry, direction);
  for (let round = -1; round < 11; round++) {
    for (const { launch, samples } of list) {
      const start = process.hrtime.bigint();
      launch.run(stream);
      stream.synchronize();
      if (round >= 0) samples.push(Number(process.hrtime.bigint() - start));
    }
  }
  const ranked = list
    .map(({ name, samples }) => ({ name, us: samples.sort((a, b) => a - b)[5] / 1000 }))
    .sort((a, b) => a.us - b.us);
  for (const { name, us } of [...ranked.slice(0, 12), ...ranked.slice(-2)]) console.log(`  ${us.toFixed(2)} ${name}`);
}
