import { copy3D, copyBatch, copyBoxes } from "@stowage/cuda-driver";
import { hvector, indexedBlock, predefined } from "@stowage/ir";
import {
  backendOn,
  backendsOn,
  cellsOn,
  onGpu,
  packerOn,
  predictedText,
  present,
  SIMULATED,
} from "../parts/device.mjs";
import { timesText } from "../dist/times-text.js";

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

export default {
  name: "routes-many-copies",
  question: "When do copy engines pay for types that are many copies: a loop of them, one batch, or a kernel?",
  kind: "moves",
  options: SIMULATED,
  trial: { simulated: true },
  sampling: () => ({ budgetMs: 25 }),
  *cells(given, lab) {
    const cases = given.simulated ? [["box", 4], ["runs", 64]] : CASES; // prettier-ignore
    yield* onGpu(given, lab, function* (gpu) {
      const backends = backendsOn(gpu);
      for (const [family, size] of cases)
        for (const packed of ["device", "pinned"]) {
          const { datatype, copiesOf } = FAMILIES[family](size);
          const workload = `${family}-${size}`;
          for (const cell of cellsOn(gpu, workload, datatype, { packed }))
            yield { ...cell, copiesOf, backends, packed };
        }
    });
  },
  contenders(cell) {
    const { gpu, input, packed, copiesOf, backends } = cell;
    const ours = ["cuda-strided", "cuda-generic", "dma"].map((name) => [
      name,
      backendOn(cell, backends.get(name), { packed, count: 1 }),
    ]);
    const host = packed === "pinned";
    const names = Object.keys(copiesOf(gpu, input.scattered.address, 0, host));
    const byDriver = names.map((name) => [
      name,
      packerOn(cell, packed, { route: "dma" }, (memory) => {
        const copies = copiesOf(gpu, input.scattered.address + cell.cell.originBytes, memory.address, host)[name];
        return (stream) => copies.forEach((copy) => copy.run(stream));
      }),
    ]);
    return present(Object.fromEntries([...ours, ...byDriver]));
  },
  text: (rows) => `${timesText(rows)}\n\n${predictedText(rows)}`,
};
