// What the IR costs, as JSON: node packages/ir/bench/figures.mjs > results/epyc/ir.json (after npm run build).
// Medians of warm calls; the first call of each is given too.
import { cpus } from "node:os";
import {
  canonicalise,
  contiguous,
  hindexed,
  indexedBlock,
  locate,
  lower,
  predefined,
  subarray,
  vector,
} from "@stowage/ir";

const DOUBLE = predefined("MPI_DOUBLE");

function timed(work, runs) {
  const samples = Array.from({ length: runs }, () => {
    const begin = performance.now();
    work();
    return (performance.now() - begin) * 1e6;
  });
  const sorted = [...samples].sort((a, b) => a - b);
  return { firstNs: samples[0], medianNs: sorted[runs >> 1], minNs: sorted[0], maxNs: sorted[runs - 1], runs };
}

/** Displacements without regularity: a linear congruential generator of period 2^31. */
function irregular(count) {
  let state = 12345;
  return Int32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state % 5_000_000;
  });
}

const list = indexedBlock(1, irregular(1_000_000), DOUBLE);
const { root } = canonicalise(lower(list));
const huge = {
  sizes: [2048, 1024, 1024, 512],
  subsizes: [1024, 1024, 1024, 128],
  starts: [1, 0, 0, 3],
  order: "C",
  child: DOUBLE,
};
const nested = canonicalise(lower(hindexed([2, 3, 1], [0, 40, 100], vector(3, 2, 5, contiguous(2, DOUBLE)))));
const far = 1e9 * nested.sizeBytes + 3;

const figures = {
  command: "node packages/ir/bench/figures.mjs > results/epyc/ir.json",
  date: new Date().toISOString(),
  machine: { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version },
  indexedBlockOfMillion: {
    limitNs: 30e6,
    lowerAndCanonicalise: timed(() => canonicalise(lower(list)), 25),
    layoutBytesAnIndex: (root.displacementsBytes?.byteLength ?? NaN) / 1e6,
    datatypeBytesAnIndex: list.displacements.byteLength / 1e6,
  },
  subarrayOf2To40Bytes: {
    limitNs: 50e3,
    bytes: canonicalise(lower(subarray(huge))).sizeBytes,
    lowerAndCanonicalise: timed(() => canonicalise(lower(subarray(huge))), 5001),
  },
  byte3OfElement1e9: {
    limitNs: 2e3,
    offsetBytes: locate(nested, far),
    locate: timed(() => locate(nested, far), 20001),
  },
};
console.log(JSON.stringify(figures, null, 1));
