// Types that are many copies for the engines: boxes of four dimensions, a plane by plane loop of 3D copies beside one
// batch of them, and lists of runs beside what one batch of them takes; to the device and to the host, beside a kernel.
import { conditions, packMove } from "@stowage/backend-api";
import { copy3D, copyBatch, copyBoxes } from "@stowage/cuda-driver";
import { canonicalise, hvector, indexedBlock, lower, predefined } from "@stowage/ir";
import { referenceOf, room } from "./cases.mjs";
import { backends, bytesOf, context, download, measure, requireSame, simulated, stream, us } from "./harness.mjs";

const byte = predefined("MPI_BYTE");
const FAMILY = { box: boxCase, runs: runsCase };

/** Rows of 64 B: `edge` of them a plane, as many planes, as many boxes; a third of each dimension is left out. */
function boxCase(edge, toHost) {
  const [row, pitch] = [64, 96];
  const [plane, box] = [pitch * edge * 1.5, pitch * edge * 1.5 * edge * 1.5];
  const rows = hvector(edge, 1, pitch, hvector(1, row, 1, byte));
  const layout = canonicalise(lower(hvector(edge, 1, box, hvector(edge, 1, plane, rows))));
  const boxes = (data, packed) =>
    Array.from({ length: edge }, (_, i) => ({
      target: { address: packed + i * edge * edge * row, host: toHost, pitchBytes: row, planeRows: edge },
      source: { address: data + i * box, host: false, pitchBytes: pitch, planeRows: edge * 1.5 },
      box: { widthBytes: row, rows: edge, planes: edge },
    }));
  const calls = (data, packed) => {
    const each = boxes(data, packed).map(({ target, source, box: size }) => copy3D(context, target, source, size));
    const loop = { name: "cuMemcpy3DAsync, one a box", run: () => each.forEach((copy) => copy.run(stream)) };
    if (!context.copiesBatches) return [loop];
    const batch = copyBoxes(context, boxes(data, packed));
    return [loop, { name: "cuMemcpy3DBatchAsync", run: () => batch.run(stream) }];
  };
  return { layout, calls };
}

/** Runs of 64 B, 192 B apart on the mean, at places that no box describes. */
function runsCase(count, toHost) {
  const block = 64;
  const places = Array.from({ length: count }, (_, i) => 3 * i + ((i * 7) % 3 === 0 ? 1 : 0));
  const layout = canonicalise(lower(indexedBlock(1, places, hvector(1, block, 1, byte))));
  const calls = (data, packed) => {
    const of = (at) => Float64Array.from(places, at);
    const batch = copyBatch(
      context,
      of((_, i) => packed + i * block),
      of((place) => data + place * block),
      of(() => block),
    );
    return [{ name: "cuMemcpyBatchAsync", run: () => batch.run(stream) }];
  };
  return { layout, calls, toHost };
}

export function manyCopies(results) {
  const cases = simulated
    ? [
        ["box", 4],
        ["runs", 64],
      ]
    : [8, 16, 32, 64].map((edge) => ["box", edge]).concat([1024, 4096, 8192, 16_384, 65_536].map((n) => ["runs", n]));
  for (const [family, size] of cases) for (const toHost of [false, true]) one(results, family, size, toHost);
}

function one(results, family, size, toHost) {
  const { layout, calls } = FAMILY[family](size, toHost);
  const { sizeBytes, trueLowerBoundBytes, trueExtentBytes } = layout;
  const { data, image } = room(Math.ceil((trueLowerBoundBytes + trueExtentBytes) / 4) * 4);
  const packed = toHost ? context.pinnedMemory(sizeBytes) : context.deviceMemory(sizeBytes);
  const kinds = conditions({ sourceKind: "device", targetKind: toHost ? "pinned" : "device", count: 1 });
  const span = (memory) => ({ memory, originBytes: 0 });
  const binding = { source: span(data), target: span(packed), count: 1, first: 0, length: sizeBytes };
  const ours = ["cuda-strided", "cuda-generic", "dma"].flatMap((name) => {
    const backend = backends.get(name);
    if (!backend.supports([packMove(layout)], kinds).ok) return [];
    const kernel = backend.load(backend.compile([packMove(layout)], kinds));
    const plan = kernel.bind([binding]);
    return [{ name, run: () => plan.run(stream).wait(), predictedNs: predicted(backend, layout, kinds) }];
  });
  const direct = calls(data.address, packed.address).map(({ name, run }) => ({
    name,
    run: () => (run(), stream.synchronize()),
  }));
  const contenders = [...ours, ...direct];
  let expected;
  for (const { name, run } of contenders) {
    packed.fill(0, stream);
    run();
    const got = new Uint8Array(sizeBytes);
    download(got, packed.address);
    expected ??= referenceOf(layout, bytesOf(image));
    requireSame(`${name}, ${family} of ${size}`, got, expected);
  }
  const workload = `${family}-${size}`;
  const measured = measure(contenders, { budgetMs: 25, mostRuns: 60 });
  console.log(
    `${workload} ${toHost ? "to the host" : "on the device"}, ${sizeBytes} B: ${measured.map(({ contender, medianNs }) => `${contender} ${us(medianNs)}`).join(", ")} us; predicted ${ours.map(({ name, predictedNs }) => `${name} ${us(predictedNs)}`).join(", ")}`,
  );
  results.add(
    measured.map((row) => ({
      workload,
      count: 1,
      packedBytes: sizeBytes,
      direction: "pack",
      route: row.contender.startsWith("cuMemcpy") || row.contender === "dma" ? "dma" : toHost ? "one-shot" : "device",
      verified: true,
      commitNs: 0,
      ...row,
    })),
  );
  for (const held of [data, packed]) held[Symbol.dispose]();
}

const predicted = (backend, layout, kinds) =>
  backend.predict([packMove(layout)], kinds, { machine: "h200", figures: {} }).runNs;
