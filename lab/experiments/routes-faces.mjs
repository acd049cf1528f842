import { buildKernel } from "@stowage/ptx";
import { vectorOf } from "../parts/cuda-rows.mjs";
import { cellsOn, memcpyOn, packerOn } from "../parts/device.mjs";
import { backendsBy, callsOn, routesExperiment, timesAndPredictions } from "../parts/routes.mjs";

const PACKERS = ["cuda-strided", "cuda-generic", "dma"];
const NAMES = [
  ...PACKERS,
  ...["one-shot", "device", "pipelined"].flatMap((route) => PACKERS.map((by) => `${route}/${by}`)),
];

/** What one writes by hand: a word of 8 bytes a thread, on mapped memory. */
const packWords = buildKernel(
  "pack_words_by_hand",
  { parameters: { packed: "u64", data: "u64", words: "u64", row: "u64", pitch: "u64" }, maxThreads: 256 },
  (builder, { packed, data, words: total, row, pitch }) => {
    const index = builder.globalThread();
    builder.if(index.lt(total), () => {
      const narrow = index.to("u32");
      const line = narrow.div(row.to("u32"));
      const column = narrow.sub(line.mul(row.to("u32")));
      const from = line.to("u64").mul(pitch).add(column.to("u64")).shl(3);
      const value = builder.load("global", data.add(from), { bits: 64 });
      builder.store("global", packed.add(index.shl(3)), [value], { bits: 64 });
    });
  },
);

function byHand(cell, [rowBytes, pitchBytes]) {
  const words = cell.cell.packedBytes / 8;
  return packerOn(cell, "pinned", { route: "one-shot" }, (packed) => {
    const shape = { grid: { x: Math.ceil(words / 256) }, block: { x: 256 } };
    const launch = cell.gpu.context.kernel(packWords).launch(40, shape);
    const values = [packed.address, cell.input.scattered.address, words, rowBytes / 8, pitchBytes / 8];
    values.forEach((value, i) => launch.setWord(i * 8, value));
    return (stream) => launch.run(stream);
  });
}

export default routesExperiment({
  name: "routes-faces",
  question: "How long does each route take to bring a face of a cube of doubles to the host? (Cluster 2012, table 2)",
  budgetMs: 40,
  *cells(gpu, { simulated }) {
    for (const n of simulated ? [16] : [64, 128, 256, 512]) {
      const faces = { "X-Y": [n * n * 8, n * n * 8], "X-Z": [n * 8, n * n * 8], "Y-Z": [8, n * 8] };
      for (const [face, rows] of Object.entries(faces))
        for (const cell of cellsOn(gpu, `${face}/${n}`, vectorOf(...rows, n * n * 8))) yield { ...cell, rows };
    }
  },
  contenders: (cell) => ({
    ...backendsBy(cell, NAMES, { packed: "pinned" }),
    ...callsOn(cell, "one-shot"),
    "by hand": byHand(cell, cell.rows),
    memcpy: memcpyOn(cell, "one-shot"),
  }),
  text: timesAndPredictions,
});
