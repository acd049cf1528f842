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
const BLOCKS = 1_000_000;

/** A linear congruential generator of period 2^31. */
function drawing() {
  let state = 12345;
  return () => (state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff);
}
function irregular() {
  const draw = drawing();
  return Int32Array.from({ length: BLOCKS }, () => draw() % 5_000_000);
}
/** Displacements 1 to `most` apart: one in so many blocks touches the one before. */
function apart(most) {
  const draw = drawing();
  let at = 0;
  return Int32Array.from({ length: BLOCKS }, () => (at += 1 + ((draw() >> 8) % most)));
}

const tableBytes = ({ displacementsBytes, blocklengths }) =>
  displacementsBytes.byteLength + (blocklengths === 1 ? 0 : blocklengths.byteLength);

/** A list, lowered and canonicalised, and the bytes of tables that it makes, for each of the list's. */
function listWork(displacements) {
  const type = indexedBlock(1, displacements, DOUBLE);
  const [lowered, canonical] = [lower(type), canonicalise(lower(type))];
  const made = tableBytes(lowered.root) + (canonical === lowered ? 0 : tableBytes(canonical.root));
  const facts = { limitNs: 30e6, tableBytesAListByte: made / displacements.byteLength };
  return { run: () => canonicalise(lower(type)), facts };
}

/** Regular types that differ from call to call, as a program commits them. */
const REGULAR = {
  vector: (i) => vector(100 + i, 2, 5, DOUBLE),
  column: (i) => resized(0, 8, vector(512 + i, 1, 512, DOUBLE)),
  subarray: (i) =>
    subarray({ sizes: [64 + i, 64, 64], subsizes: [8, 8, 8], starts: [1, 2, 3], order: "C", child: DOUBLE }),
  struct: (i) => struct([1, 2, 1], [0, 8, 64 + 8 * i], [DOUBLE, predefined("MPI_INT"), DOUBLE]),
};

function* work() {
  yield ["10^6 irregular displacements", () => listWork(irregular())];
  for (const most of [2, 7]) yield [`10^6 blocks, one in ${most} touches`, () => listWork(apart(most))];
  yield ["10^6 blocks, none touches", () => listWork(apart(7).map((at, i) => at + i))];
  for (const [name, make] of Object.entries(REGULAR)) {
    let i = 0;
    yield [name, () => ({ run: () => canonicalise(lower(make(i++))) })];
  }
  const huge = { sizes: [2048, 1024, 1024, 512], subsizes: [1024, 1024, 1024, 128], starts: [1, 0, 0, 3] };
  const of2To40 = () => canonicalise(lower(subarray({ ...huge, order: "C", child: DOUBLE })));
  yield ["subarray of 2^40 bytes", () => ({ run: of2To40, facts: { limitNs: 50e3, bytes: of2To40().sizeBytes } })];
  const nested = canonicalise(lower(hindexed([2, 3, 1], [0, 40, 100], vector(3, 2, 5, contiguous(2, DOUBLE)))));
  const far = 1e9 * nested.sizeBytes + 3;
  const facts = { limitNs: 2e3, offsetBytes: locate(nested, far) };
  yield ["byte 3 of element 10^9", () => ({ run: () => locate(nested, far), facts })];
}

export default {
  name: "ir-figures",
  question: "What do lowering, canonicalising and finding a byte cost?",
  kind: "times",
  trial: {},
  sampling: () => ({ budgetMs: 250, rounds: 15 }),
  *cells() {
    for (const [workload, make] of work()) yield { label: { workload }, make };
  },
  contenders: ({ make }) => ({ ir: make() }),
};
