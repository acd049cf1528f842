// Messages of the host's memory through memory that both ranks map: pieces, rings, other layouts, what is refused.
import { hostMemory } from "@stowage/backend-api";
import { contiguous, indexedBlock, predefined, resized, vector } from "@stowage/ir";
import { ANY_SOURCE, ANY_TAG } from "@stowage/mpi-bridge";
import { DATA_END, DATA_START, PIECE_BYTES, RING_BYTES } from "../../dist/carriers/ipc/host/segment.js";
import { LEAST_BYTES } from "../../dist/carriers/ipc/host/host-members.js";
import { check, checkAsync, equal, matches, mpi, rank, report, thrown, world } from "./checks.mjs";
import { before, next } from "./elements.mjs";

const shared = world.dup({ pipeline: { chunkBytes: 65_536, depth: 2 }, signatures: "check" });
const { requests } = mpi;
const byte = predefined("MPI_BYTE");
const double = predefined("MPI_DOUBLE");
const carrierOf = (message, dest = next) => shared.explain(message, dest).carrier;

/** Sixteen columns of doubles, row by row: where each double lies, in the order in which they are packed. */
function columns(bytes) {
  const rows = Math.ceil(bytes / 8 / 16);
  return Array.from({ length: 16 * rows }, (_, i) => (i % rows) * 16 + Math.floor(i / rows));
}

/** Types of at least so many packed bytes, and the bytes of each extent that are data. */
const TYPES = {
  // Two bytes apart: no piece ends with a block.
  "blocks of 3 bytes": (bytes) => [vector(Math.ceil(bytes / 3), 3, 5, byte), (i) => i % 5 < 3],
  "a transpose": (bytes) => [indexedBlock(1, columns(bytes), double), () => true],
  dense: (bytes) => [contiguous(bytes, byte), () => true],
};
const SIZES = {
  "blocks of 3 bytes": [LEAST_BYTES + 1, PIECE_BYTES, RING_BYTES + 1, 3 * RING_BYTES + 77],
  "a transpose": [PIECE_BYTES + 1, RING_BYTES + 1],
  dense: [LEAST_BYTES + 1, PIECE_BYTES + 1, RING_BYTES, 3 * RING_BYTES + 77],
};

/** Bytes that say where they are and whose: one sequence, which begins elsewhere for each seed. */
const SEQUENCE = Uint8Array.from(
  { length: 3 * 1024 * 1024 },
  (_, i) => (i * 131 + (i >> 8) * 17 + (i >> 16) * 5) & 255,
);
const made = (length, seed) => SEQUENCE.slice(seed, seed + length);
const holding = (data, datatype, count = 1) => ({ buffer: hostMemory(data), datatype, count });

for (const [name, typeOf] of Object.entries(TYPES))
  for (const bytes of SIZES[name])
    check(`through shared memory: ${bytes} bytes of ${name}`, () => {
      const [datatype, isData] = typeOf(bytes);
      const type = mpi.commit(datatype);
      const [out, into] = [made(type.extentBytes + 8, rank), made(type.extentBytes + 8, 200)];
      equal(carrierOf(holding(out, type)), "ipc", "carrier");
      for (let turn = 0; turn < 2; turn++) {
        const status = shared.sendrecv(holding(out, type), next, holding(into, type), before);
        equal([status.source, status.sizeBytes], [before, type.sizeBytes], "status");
      }
      const [sent, kept] = [made(out.length, before), made(out.length, 200)];
      const wrong = into.findIndex((value, i) => value !== (i < type.extentBytes && isData(i) ? sent[i] : kept[i]));
      equal(wrong, -1, "first wrong byte");
      type[Symbol.dispose]();
    });

const ROWS = 9_000;
const rows = vector(ROWS, 2, 3, double);
const scattered = (seed) => Float64Array.from({ length: 3 * ROWS }, (_, i) => seed * 1e6 + i);
const bytesOf = (view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
const same = (got, expected, what) => equal(Buffer.compare(bytesOf(got), bytesOf(expected)), 0, what);
const packed = (seed) => scattered(seed).filter((_, i) => i % 3 < 2);

check("layouts that differ, and a receiver with room for more", () => {
  const dense = new Float64Array(2 * ROWS + 4);
  equal(shared.sendrecv(holding(scattered(rank), rows), next, dense, before).sizeBytes, 16 * ROWS);
  same(dense.subarray(0, 2 * ROWS), packed(before), "to a run");
  const pairs = resized(0, 32, vector(2, 1, 2, double));
  const into = new Float64Array(4 * ROWS);
  shared.sendrecv(packed(rank), next, holding(into, pairs, ROWS), before);
  same(
    into.filter((_, i) => i % 2 === 0),
    packed(before),
    "from a run",
  );
});

check("short and long ones of one tag come in the order of their sends, and probes tell the whole size", () => {
  const short = (i) => Float64Array.of(rank, i);
  const sends = [0, 1, 2, 3].map((i) =>
    shared.isend(i % 2 === 0 ? holding(scattered(10 * rank + i), rows) : short(i), next, { tag: 4 }),
  );
  equal(shared.probe(before, { tag: 4 }).sizeBytes, 16 * ROWS);
  for (const i of [0, 1, 2, 3]) {
    const into = new Float64Array(2 * ROWS);
    const status =
      i === 2 ? shared.mprobe(ANY_SOURCE, { tag: 4 }).recv(into) : shared.recv(into, ANY_SOURCE, { tag: ANY_TAG });
    if (i % 2 === 1) equal([status.sizeBytes, ...into.subarray(0, 2)], [16, before, i]);
    else same(into, packed(10 * before + i), `message ${i}`);
  }
  requests.waitAll(sends);
});

check("more under way than the arena holds: the others go in chunks", () => {
  const many = Math.ceil((DATA_END - DATA_START) / (16 * ROWS)) + 8;
  const out = scattered(rank);
  const into = Array.from({ length: many }, () => new Float64Array(2 * ROWS));
  for (let turn = 0; turn < 2; turn++) {
    const sends = into.map((_, i) => shared.isend(holding(out, rows), next, { tag: i }));
    for (const each of into) each.fill(0);
    const receives = into.map((each, i) => shared.irecv(each, before, { tag: many - 1 - i }));
    requests.waitAll([...sends, ...receives]);
    const expected = packed(before);
    into.forEach((each, i) => same(each, expected, `message ${i}`));
  }
});

check("what is cut short, or of another signature, is told here alone, and its room is given back", () => {
  const type = mpi.commit(rows);
  for (let turn = 0; turn < 100; turn++) {
    const sending = shared.isend(holding(scattered(rank), type), next);
    const into = turn % 2 === 0 ? Float64Array.of(1, 2, 3) : new Int32Array(4 * ROWS);
    matches(
      thrown(() => shared.recv(into, before)),
      turn % 2 === 0 ? /MPI_ERR_TRUNCATE/ : /^type signature of recv from \d/,
    );
    sending.wait();
    equal(into[0], turn % 2 === 0 ? 1 : 0, "untouched");
  }
  const into = new Float64Array(2 * ROWS);
  shared.sendrecv(holding(scattered(rank), type), next, into, before);
  same(into, packed(before), "the next one");
  type[Symbol.dispose]();
});

check("persistent and synchronous ones", () => {
  const into = new Float64Array(3 * ROWS);
  const [send, recv] = [
    shared.ssendInit(holding(scattered(rank), rows), next),
    shared.recvInit(holding(into, rows), before),
  ];
  for (let turn = 0; turn < 3; turn++) {
    into.fill(-1);
    requests.startAll([recv, send]);
    requests.waitAll([recv, send]);
    const expected = scattered(before).map((value, i) => (i % 3 < 2 ? value : -1));
    same(into, expected, `turn ${turn}`);
  }
  [send, recv].forEach((request) => request.free());
});

await checkAsync("promises", async () => {
  const into = new Float64Array(2 * ROWS);
  const arriving = shared.irecv(into, before, { tag: 70 }).finished();
  await shared.issend(holding(scattered(rank), rows), next, { tag: 70 }).finished();
  equal((await arriving).source, before);
  same(into, packed(before), "bytes");
});

check("a buffer that is transferred away while it is sent is an error of both, and later messages come", () => {
  const long = new Float64Array((3 * RING_BYTES) / 8);
  const type = mpi.commit(double, { carrier: "ipc" }); // no trial of another carrier
  const sending = shared.isend({ buffer: long, datatype: type, count: long.length }, next, { tag: 5 });
  structuredClone(long.buffer, { transfer: [long.buffer] });
  world.barrier(); // nobody reads while another still packs
  const into = new Float64Array((3 * RING_BYTES) / 8);
  matches(
    thrown(() => shared.recv(into, before, { tag: 5 })),
    /^recv from \d: expected \d+ bytes through shared memory, got a sender that gave it up$/,
  );
  matches(
    thrown(() => sending.wait()),
    /transferred away/,
  );
  shared.sendrecv(holding(scattered(rank), rows), next, into, before);
  same(into.subarray(0, 2 * ROWS), packed(before), "the next one");
  type[Symbol.dispose]();
});

check("a hint asks for chunks, and what is no more than a page or two goes in one message", () => {
  const chunked = mpi.commit(rows, { carrier: "chunked" });
  equal(carrierOf(holding(scattered(rank), chunked)), "chunked");
  const { carrier, answers } = shared.explain(new Uint8Array(LEAST_BYTES), next);
  equal(
    [carrier, answers.find((each) => each.carrier === "ipc").support.reason],
    ["chunked", `it has no more than ${LEAST_BYTES} bytes`],
  );
  chunked[Symbol.dispose]();
});

shared.barrier();
shared.free();
report();
