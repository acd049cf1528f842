// Types that copy engines cannot express, to pageable memory: sections whole over the bus and packed by the processor,
// beside what packs on multiprocessors. What each is predicted to take stands beside what it took.
import { conditions, packMove } from "@stowage/backend-api";
import { canonicalise, indexed, lower, predefined } from "@stowage/ir";
import { referenceOf, room } from "./cases.mjs";
import { backends, bytesOf, context, measure, requireSame, simulated, stream, us } from "./harness.mjs";

const double = predefined("MPI_DOUBLE");
const NAMES = ["bulk/x64", "staged/cuda-generic", "pipelined/cuda-generic", "staged/dma"];

/** Blocks of 1 to 8 doubles at irregular places, `percent` of the memory between first and last. */
function irregular(packedBytes, percent) {
  const [lengths, places] = [[], []];
  let [state, place, bytes] = [12_345, 0, 0];
  const random = (n) => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) % n;
  while (bytes < packedBytes) {
    const length = Math.min(1 + random(8), (packedBytes - bytes) / 8);
    lengths.push(length);
    places.push(place);
    bytes += 8 * length;
    place += length + 1 + random(Math.max(1, Math.round((2 * 4.5 * (100 - percent)) / percent) - 1));
  }
  return canonicalise(lower(indexed(lengths, places, double)));
}

export function bulk(results) {
  const sizes = simulated ? [4096] : [2 ** 10, 2 ** 13, 2 ** 16, 2 ** 18, 2 ** 20, 2 ** 22, 2 ** 24];
  for (const percent of [10, 50, 90]) for (const size of sizes) one(results, size, percent);
}

function one(results, size, percent) {
  const layout = irregular(size, percent);
  const { sizeBytes, trueExtentBytes } = layout;
  const { data, image } = room(trueExtentBytes);
  const target = { kind: "host", sizeBytes, bytes: new Uint8Array(sizeBytes) };
  const kinds = conditions({ sourceKind: "device", targetKind: "host", count: 1 });
  const span = (memory) => ({ memory, originBytes: 0 });
  const binding = { source: span(data), target: span(target), count: 1, first: 0, length: sizeBytes };
  const contenders = NAMES.flatMap((name) => {
    const backend = backends.get(name);
    if (backend === undefined || !backend.supports([packMove(layout)], kinds).ok) return [];
    const plan = backend.load(backend.compile([packMove(layout)], kinds)).bind([binding]);
    const { runNs } = backend.predict([packMove(layout)], kinds, { machine: "h200", figures: {} });
    return [{ name, predictedNs: runNs, run: () => plan.run(stream).wait() }];
  });
  const expected = referenceOf(layout, bytesOf(image));
  for (const { name, run } of contenders) {
    target.bytes.fill(0);
    run();
    requireSame(`${name}, ${percent} %`, target.bytes, expected);
  }
  const measured = measure(contenders, { budgetMs: 25, mostRuns: 100 });
  const best = Math.min(...measured.map(({ medianNs }) => medianNs));
  const chosen = contenders.reduce((least, each) => (each.predictedNs < least.predictedNs ? each : least));
  const took = measured.find(({ contender }) => contender === chosen.name).medianNs;
  console.log(
    `${percent} %, ${sizeBytes} B: ${measured.map(({ contender, medianNs }, i) => `${contender} ${us(medianNs)} (predicted ${us(contenders[i].predictedNs)})`).join(", ")} us; least predicted ${chosen.name}, ${(took / best).toFixed(2)} of the best`,
  );
  results.add(
    measured.map((row) => ({
      workload: `irregular-${percent}/${sizeBytes}`,
      count: 1,
      packedBytes: sizeBytes,
      direction: "pack",
      route: row.contender.split("/")[0],
      verified: true,
      commitNs: 0,
      ...row,
    })),
  );
  data[Symbol.dispose]();
}
