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
  resized,
  struct,
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

/** Displacements 1 to `most` apart: one in so many blocks touches the one before. */
function apart(count, most) {
  let [state, at] = [12345, 0];
  return Int32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (at += 1 + ((state >> 8) % most));
  });
}

/** Bytes of a node's tables. */
const tableBytes = ({ displacementsBytes, blocklengths }) =>
  displacementsBytes.byteLength + (blocklengths === 1 ? 0 : blocklengths.byteLength);

/** A list of 10^6 blocks, and the bytes of tables that lowering and canonicalising it make, for each of the list's. */
function listFigures(displacements) {
  const type = indexedBlock(1, displacements, DOUBLE);
  const lowered = lower(type);
  const canonical = canonicalise(lowered);
  const made = tableBytes(lowered.root) + (canonical === lowered ? 0 : tableBytes(canonical.root));
  const lowerAndCanonicalise = timed(() => canonicalise(lower(type)), 25);
  return { limitNs: 30e6, tableBytesAListByte: made / displacements.byteLength, lowerAndCanonicalise };
}

/** Regular types that differ from call to call, as a program commits them. */
const regular = {
  vector: (i) => vector(100 + i, 2, 5, DOUBLE),
  column: (i) => resized(0, 8, vector(512 + i, 1, 512, DOUBLE)),
  subarray: (i) =>
    subarray({ sizes: [64 + i, 64, 64], subsizes: [8, 8, 8], starts: [1, 2, 3], order: "C", child: DOUBLE }),
  struct: (i) => struct([1, 2, 1], [0, 8, 64 + 8 * i], [DOUBLE, predefined("MPI_INT"), DOUBLE]),
};

function regularFigures(make) {
  let i = 0;
  return timed(() => canonicalise(lower(make(i++))), 5001);
}

const regularTypes = Object.fromEntries(Object.entries(regular).map(([name, make]) => [name, regularFigures(make)]));
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
  blocksThatTouch: {
    oneInTwo: listFigures(apart(1_000_000, 2)),
    oneInSeven: listFigures(apart(1_000_000, 7)),
    none: listFigures(apart(1_000_000, 7).map((at, i) => at + i)),
  },
  regularTypes,
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
