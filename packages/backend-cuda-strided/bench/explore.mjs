// Which threads a block, vectors a thread, joined vectors and cache hints are best: node explore.mjs. One table, medians in us.
import { Module, openCuda } from "@stowage/cuda-driver";
import { programFor, shapeName, shapeOf, tileBytes, writeRecord } from "@stowage/backend-cuda-strided";
import { print } from "@stowage/ptx";
import * as layouts from "./layouts.mjs";
import { stridedBlock } from "@stowage/ir";

const context = openCuda().context();
const stream = context.stream();
const scattered = context.deviceMemory(4.25 * 2 ** 30);
const packed = context.deviceMemory(2 ** 26);
scattered.fill(3, stream);
const HINTS = {
  plain: (text) => text.replaceAll(".L1::no_allocate", ""),
  quiet: (text) => text,
  "quiet+cs": (text) => text.replaceAll("st.global.", "st.global.cs."),
};
const geometryOf = ({ layout, count }) => {
  const { startBytes, counts, stridesBytes } = stridedBlock(layout);
  const dimensions = counts.slice(1).map((of, i) => ({ count: of, strideBytes: stridesBytes[i + 1] }));
  return count === 1 ? { startBytes, rowBytes: counts[0], dimensions } : undefined;
};
function candidates(entry, direction) {
  const geometry = geometryOf(entry);
  const length = entry.layout.sizeBytes;
  const transfer = { geometry, scatteredAddress: scattered.address, packedAddress: packed.address, first: 0, length };
  const base = shapeOf(transfer, direction, 1);
  const list = [];
  for (const vectorBytes of new Set([base.wordBytes, base.vectorBytes])) {
    for (const vectorsPerThread of [1, 2, 4, 8]) {
      if ((vectorsPerThread * vectorBytes) / base.wordBytes > 16) continue;
      const shape = { ...base, vectorBytes, vectorsPerThread };
      const program = programFor([shape], 1);
      const text = print(program.kernel, { arch: context.device.architecture });
      for (const [hint, change] of Object.entries(HINTS)) {
        const kernel = new Module(context, change(text)).kernel(program.kernel.name);
        for (const threads of [128, 256, 512]) {
          const tiles = Math.ceil(length / tileBytes(shape, threads));
          const launch = kernel.launch(program.recordsOffset + program.recordBytes, { grid: { x: tiles }, block: { x: threads } });
          launch.parameters.setUint32(0, tiles, true);
          launch.parameters.setUint32(4, 1, true);
          writeRecord(launch.parameters, program.recordsOffset, transfer, shape, { firstTile: 0, shapeIndex: 0 });
          list.push({ name: `${shapeName(shape)} ${hint} ${threads}`, launch, samples: [] });
        }
      }
    }
  }
  return list;
}
for (const entry of [...layouts.VECTORS, layouts.DENSE_PITCH, ...layouts.FACES, layouts.RAGGED[2], layouts.RAGGED[6]]) {
  for (const direction of ["pack", "unpack"]) {
    const list = candidates(entry, direction);
    for (let round = -2; round < 15; round++) {
      for (const { launch, samples } of list) {
        const start = process.hrtime.bigint();
        launch.run(stream);
        stream.synchronize();
        if (round >= 0) samples.push(Number(process.hrtime.bigint() - start));
      }
    }
    const ranked = list.map(({ name, samples }) => ({ name, us: samples.sort((a, b) => a - b)[7] / 1000 })).sort((a, b) => a.us - b.us);
    const show = ({ name, us }) => `${us.toFixed(1)} ${name.replace(`${direction}_`, "")}`;
    console.log(`${entry.name} ${direction}: ${ranked.slice(0, 4).map(show).join(" | ")} ... ${show(ranked.at(-1))}`);
    const mid = ranked.filter(({ name }) => name.endsWith("quiet 256")).map(show).join(" | ");
    console.log(`   ${mid}`);
  }
}
