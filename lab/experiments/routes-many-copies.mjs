import { copy3D, copyBatch, copyBoxes } from "@stowage/cuda-driver";
import { hvector, indexedBlock, predefined } from "@stowage/ir";
import { cellsOn, packerOn } from "../parts/device.mjs";
import { backendsBy, routesExperiment, timesAndPredictions } from "../parts/routes.mjs";

const byte = predefined("MPI_BYTE");

/** Rows of 64 B: `edge` of them a plane, as many planes, as many boxes; a third of each dimension is left out. */
function boxes(edge) {
  const [row, pitch] = [64, 96];
  const [plane, box] = [pitch * edge * 1.5, pitch * edge * 1.5 * edge * 1.5];
  const rows = hvector(edge, 1, pitch, hvector(1, row, 1, byte));
  const copiesOf = ({ context }, data, packed, host) => {
    const all = Array.from({ length: edge }, (_, i) => ({
      target: { address: packed + i * edge * edge * row, host, pitchBytes: row, planeRows: edge },
      source: { address: data + i * box, host: false, pitchBytes: pitch, planeRows: edge * 1.5 },
      box: { widthBytes: row, rows: edge, planes: edge },
    }));
    const each = all.map(({ target, source, box: size }) => copy3D(context, target, source, size));
    return {
      "cuMemcpy3DAsync, one a box": each,
      ...(context.copiesBatches ? { cuMemcpy3DBatchAsync: [copyBoxes(context, all)] } : {}),
    };
  };
  return { datatype: hvector(edge, 1, box, hvector(edge, 1, plane, rows)), copiesOf };
}

/** Runs of 64 B, 192 B apart on the mean, at places that no box describes. */
function runs(count) {
  const block = 64;
  const places = Array.from({ length: count }, (_, i) => 3 * i + ((i * 7) % 3 === 0 ? 1 : 0));
  const copiesOf = ({ context }, data, packed) => {
    const of = (at) => Float64Array.from(places, at);
    const targets = of((_, i) => packed + i * block);
    const sources = of((place) => data + place * block);
    return {
      cuMemcpyBatchAsync: [
        copyBatch(
          context,
          targets,
          sources,
          of(() => block),
        ),
      ],
    };
  };
  return { datatype: indexedBlock(1, places, hvector(1, block, 1, byte)), copiesOf };
}

const FAMILIES = { box: boxes, runs };
const CASES = [
  ...[8, 16, 32, 64].map((n) => ["box", n]),
  ...[1024, 4096, 8192, 16_384, 65_536].map((n) => ["runs", n]),
];

export default routesExperiment({
  name: "routes-many-copies",
  question: "When do copy engines pay for types that are many copies: a loop of them, one batch, or a kernel?",
  budgetMs: 25,
  *cells(gpu, { simulated }) {
    const cases = simulated ? [["box", 4], ["runs", 64]] : CASES; // prettier-ignore
    for (const [family, size] of cases)
      for (const packed of ["device", "pinned"]) {
        const { datatype, copiesOf } = FAMILIES[family](size);
        for (const cell of cellsOn(gpu, `${family}-${size}`, datatype, { packed })) yield { ...cell, copiesOf, packed };
      }
  },
  contenders(cell) {
    const { gpu, input, packed, copiesOf } = cell;
    const host = packed === "pinned";
    const names = Object.keys(copiesOf(gpu, input.scattered.address, 0, host));
    const byDriver = names.map((name) => [
      name,
      packerOn(cell, packed, { route: "dma" }, (memory) => {
        const copies = copiesOf(gpu, input.scattered.address + cell.cell.originBytes, memory.address, host)[name];
        return (stream) => copies.forEach((copy) => copy.run(stream));
      }),
    ]);
    const ours = backendsBy(cell, ["cuda-strided", "cuda-generic", "dma"], { packed, count: 1 });
    return { ...ours, ...Object.fromEntries(byDriver) };
  },
  text: timesAndPredictions,
});
