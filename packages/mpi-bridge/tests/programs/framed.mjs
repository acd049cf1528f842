import { ANY_SOURCE, ANY_TAG, PROC_NULL } from "@stowage/mpi-bridge";
import { hostMemory } from "@stowage/backend-api";
import { predefined, vector } from "@stowage/ir";
import { check, checkAsync, equal, matches, mpi, rank, size, thrown, world } from "./checks.mjs";
import { before, COUNT, expected, filled, message, next, TYPES } from "./elements.mjs";

/** Which carrier is asked for: of messages that it does not take another one. */
const carrier = new URL(import.meta.url).searchParams.get("carrier") ?? "chunked";
const framed = world.dup({ pipeline: { chunkBytes: 1024, depth: 2 }, signatures: "check" });
framed.settings = { ...framed.settings, hints: { carrier } };
const { requests } = mpi;

for (const [name, type] of Object.entries(TYPES)) {
  check(`framed sendrecv in a ring of ${name}, ${carrier}`, () => {
    const into = filled(99);
    const status = framed.sendrecv(message(filled(rank), type), next, message(into, type), before, {
      sendTag: 5,
      recvTag: 5,
    });
    const known = mpi.typeOf(type);
    equal(into, expected(known, COUNT, before), "bytes");
    equal([status.source, status.tag, status.sizeBytes], [before, 5, COUNT * known.sizeBytes], "status");
  });
}

/** Rows of 3 doubles, 2 apart: as many as need many chunks. */
const ROWS = vector(700, 3, 5, predefined("MPI_DOUBLE"));
const scattered = (seed) => Float64Array.from({ length: 3500 }, (_, i) => seed * 1e6 + i);
const isGap = (i) => i % 5 > 2;
const received = (from, into) => Float64Array.from(into, (own, i) => (isGap(i) ? own : from * 1e6 + i));
const elements = (data, datatype = ROWS) => ({ buffer: hostMemory(data), datatype, count: 1 });

check("messages of many chunks, scattered and dense, both ways at once", () => {
  for (const datatype of [ROWS, vector(1, 3500, 3500, predefined("MPI_DOUBLE"))]) {
    for (const [out, into] of [[scattered(rank), scattered(77)]]) {
      const status = framed.sendrecv(elements(out, datatype), next, elements(into, datatype), ANY_SOURCE);
      equal([status.source, status.sizeBytes], [before, mpi.typeOf(datatype).sizeBytes]);
      equal(into, datatype === ROWS ? received(before, scattered(77)) : scattered(before), "bytes");
    }
  }
  // The other side may have the same elements otherwise.
  const dense = new Float64Array(2100);
  framed.sendrecv(elements(scattered(rank)), next, dense, before);
  equal(
    dense,
    scattered(before).filter((_, i) => !isGap(i)),
    "dense",
  );
});

check("several framed messages under way, in the order of their sends", () => {
  const into = [0, 1, 2, 3].map(() => scattered(77));
  const receives = into.map((data) => framed.irecv(elements(data), before, { tag: 3 }));
  const sends = into.map((_, i) => framed.isend(elements(scattered(10 * rank + i)), next, { tag: 3 }));
  const first = requests.waitAny(receives);
  const some = requests.waitSome(receives);
  equal([first.status.sizeBytes, some.length > 0], [700 * 24, true]);
  requests.waitAll([...sends, ...receives]);
  into.forEach((data, i) => equal(data, received(10 * before + i, scattered(77)), `message ${i}`));
  equal([requests.testAll(receives).length, requests.testSome(receives).length], [4, 0]);
});

check("probes tell the whole message, and take none out of turn", () => {
  const sends = [1, 2].map((i) => framed.isend(elements(scattered(10 * rank + i)), next, { tag: i }));
  const probed = framed.probe(ANY_SOURCE, { tag: 1 });
  equal([probed.source, probed.tag, probed.sizeBytes], [before, 1, 700 * 24]);
  const [one, two] = [scattered(77), scattered(77)];
  equal(framed.recv(elements(one), before, { tag: ANY_TAG }).tag, 1);
  const matched = framed.mprobe(before, { tag: 2 });
  equal([matched.status.tag, matched.status.sizeBytes], [2, 700 * 24]);
  equal(matched.recv(elements(two)).tag, 2);
  requests.waitAll(sends);
  [one, two].forEach((data, i) => equal(data, received(10 * before + i + 1, scattered(77)), `message ${i}`));
  equal(framed.iprobe(ANY_SOURCE, { tag: 9 }), undefined);
  equal(framed.probe(PROC_NULL).source, PROC_NULL);
});

check("a truncated framed message leaves the buffer, and the next one comes", () => {
  for (const datatype of [ROWS, "MPI_DOUBLE"]) {
    const sending = framed.isend({ ...elements(scattered(rank), datatype), count: datatype === ROWS ? 1 : 2000 }, next);
    const short = Float64Array.of(1, 2, 3);
    const error = thrown(() => framed.recv(short, before));
    equal([error.errorClass, [...short]], ["MPI_ERR_TRUNCATE", [1, 2, 3]]);
    sending.wait();
    const ok = new Int32Array(1);
    framed.sendrecv(Int32Array.of(rank), next, ok, before);
    equal(ok[0], before);
  }
});

check("signatures that do not match are told by both, and nothing is written", () => {
  const into = scattered(77);
  const sending = framed.isend(new Int32Array(900), next, { tag: 4 });
  matches(
    thrown(() => framed.recv(into, before, { tag: 4 })),
    /^type signature of recv from \d with tag 4: expected 3500 × \(MPI_DOUBLE\), got 900 × \(MPI_INT32_T\)$/,
  );
  sending.wait();
  equal(into, scattered(77), "bytes");
  // Shorter is legal, and packed bytes match any type.
  const more = new Float64Array(5);
  equal(framed.sendrecv(Float64Array.of(1, 2), next, more, before).sizeBytes, 16);
  const packed = { buffer: Float64Array.of(8, 9), datatype: "MPI_PACKED", count: 16 };
  equal([framed.sendrecv(packed, next, more, before).sizeBytes, more[1]], [16, 9]);
});

check("persistent and synchronous framed messages, partners that are none, and cancelling", () => {
  const into = scattered(77);
  const [send, recv] = [framed.ssendInit(elements(scattered(rank)), next), framed.recvInit(elements(into), before)];
  for (let turn = 0; turn < 2; turn++) {
    into.set(scattered(77));
    requests.startAll([recv, send]);
    requests.waitAll([recv, send]);
    equal(into, received(before, scattered(77)), "bytes");
  }
  [send, recv].forEach((request) => request.free());
  framed.send(elements(scattered(rank)), PROC_NULL);
  equal([framed.recv(elements(into), PROC_NULL).source, framed.mprobe(PROC_NULL).recv(into).sizeBytes], [PROC_NULL, 0]);
  const lonely = framed.irecv(into, before, { tag: 60 });
  equal([lonely.test() ?? "under way", lonely.peek()], ["under way", false]);
  lonely.cancel();
  equal(lonely.wait().cancelled, true);
  matches(
    thrown(() => framed.recv(into, before, { tag: 61, timeoutMs: 20 })),
    /^recv from \d with tag 61: expected an end within 20 ms, got none$/,
  );
});

await checkAsync("framed promises", async () => {
  const into = scattered(77);
  const arriving = framed.irecv(elements(into), before, { tag: 70 }).finished();
  await framed.issend(elements(scattered(rank)), next, { tag: 70 }).finished();
  equal([(await arriving).source, framed.rank], [before, rank]);
  equal(into, received(before, scattered(77)), "bytes");
});

check("collectives of a framed communicator, and plain messages of its duplicate", () => {
  const sum = new Int32Array(1);
  framed.allreduce(Int32Array.of(1), sum);
  equal(sum[0], size);
  const plain = framed.dup();
  equal(plain.sendrecv(Int32Array.of(rank), next, sum, before).sizeBytes, 4);
  equal(sum[0], before);
  plain.free();
  matches(
    thrown(() => framed.bindSend(sum, next)),
    /^bound send: expected a communicator whose messages are plain, got one that was duplicated with options$/,
  );
  equal(thrown(() => framed.bindRecv(sum, next)).name, "BridgeError");
});

check("blocking collectives of other communicators wait for framed messages, or say that they do not", () => {
  const plain = world.dup();
  plain.settings = {};
  const sending = framed.issend(elements(scattered(rank)), next, { tag: 80 });
  matches(
    thrown(() => plain.barrier()),
    /^MPI_Barrier: expected framed messages waited for ahead of it, .* got framed messages under way$/,
  );
  framed.barrier();
  equal(framed.recv(elements(scattered(77)), before, { tag: 80 }).sizeBytes, 700 * 24);
  sending.wait();
  plain.barrier();
  plain.free();
});

check("all ranks must opt in alike", () => {
  matches(
    thrown(() => world.dup({ pipeline: { chunkBytes: 3 } })),
    /^pipeline of dup: chunkBytes: expected an integer from 1024 to 1073741824, got 3$/,
  );
  if (size === 1) return;
  matches(
    thrown(() => world.dup({ pipeline: { chunkBytes: 4096 * (1 + Math.min(rank, 1)) } })),
    /^options of dup: expected the same on all ranks, \{ chunkBytes: 4096, .* of rank 0, got \{ chunkBytes: 8192, .* of rank 1$/,
  );
});
world.barrier();
framed.free();
