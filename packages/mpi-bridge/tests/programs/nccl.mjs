// Messages by NCCL among simulated GPUs: in every order, beside other ways, and what is missing, refused or lost.
import { bytesOf, context, ncclFault, onDevice } from "./gpus.mjs";
import { contiguous, vector } from "@stowage/ir";
import { NcclError } from "@stowage/nccl";
import { check, checkFault, equal, matches, mpi, rank, report, size, thrown, world } from "./checks.mjs";
import { before, COUNT, double, expected, filled, next, ORIGIN, TYPES } from "./elements.mjs";

const message = (memory, datatype, count = COUNT) => ({ buffer: { memory, originBytes: ORIGIN }, datatype, count });
const bytes = (list) => new Uint8Array(Float64Array.from(list).buffer);
const doubles = (memory) => new Float64Array(bytesOf(memory).buffer);
const column = vector(4, 1, 3, double);
const other = rank ^ 1;
const gpu = context.device.ordinal;

checkFault("a library that is missing on one rank is told on all in a line; auto says so and goes on", () => {
  if (rank === size - 1) ncclFault.open = new NcclError("libnccl.so.2", "expected NCCL 2.7 or later, got none");
  const line = /^NCCL among all ranks: expected libnccl and a GPU, got libnccl\.so\.2: expected NCCL.+ \(rank \d\)$/;
  matches(
    thrown(() => world.dup({ devices: "nccl", gpu })),
    line,
  );
  const auto = world.dup({ devices: "auto", gpu });
  const { reason } = auto.plan(message(onDevice(filled(rank)), TYPES.vector), next);
  matches({ message: reason }, /; not by NCCL: NCCL among all ranks: expected libnccl and a GPU, got libnccl/);
  auto.free();
  ncclFault.open = undefined;
});

check("two ranks of one GPU, as NCCL refuses them, are told in a line", () => {
  matches(
    thrown(() => world.dup({ devices: "nccl", gpu: 0 })),
    /^NCCL among all ranks: expected a GPU for each rank, got one of ranks 0 and 1, [0-9a-f-]{36}$/,
  );
});

const nccl = world.dup({ devices: "nccl", gpu });

for (const [name, datatype] of Object.entries(TYPES))
  check(`by NCCL: ${name}`, () => {
    const type = mpi.commit(datatype, { method: "nccl" });
    const [from, into] = [onDevice(filled(rank)), onDevice(filled(99))];
    for (let turn = 0; turn < 2; turn++) {
      const status = nccl.sendrecv(message(from, type), next, message(into, type), before);
      equal([status.source, status.sizeBytes], [before, COUNT * type.sizeBytes], "status");
    }
    equal(bytesOf(into), expected(type, COUNT, before), "bytes");
    equal(nccl.plan(message(from, type), next).method, "nccl");
    type[Symbol.dispose]();
  });

const asked = mpi.commit(column, { method: "nccl" });
const numbers = (k = 0) => onDevice(bytes(Array.from({ length: 12 }, (_, i) => rank * 100 + 10 * k + i)));

check("between layouts that differ, to and from the host, and cut short", () => {
  const elements = { buffer: numbers(), datatype: asked };
  const sent = [0, 3, 6, 9].map((i) => before * 100 + i);
  const into = onDevice(new Uint8Array(96));
  nccl.sendrecv(elements, next, { buffer: into, datatype: double, count: 6 }, before);
  equal(doubles(into).slice(0, 5), [...sent, 0], "a run of bytes");
  const host = new Float64Array(4);
  nccl.sendrecv(elements, next, host, before);
  equal(host, sent, "to the host");
  nccl.sendrecv(Float64Array.of(1, 2, 3, rank), next, { buffer: into, datatype: asked }, before);
  equal(doubles(into)[9], before, "from the host");
  const sending = nccl.isend(elements, next);
  matches(
    thrown(() => nccl.recv({ buffer: onDevice(bytes([7])), datatype: double }, before)),
    /MPI_ERR_TRUNCATE/,
  );
  sending.wait();
});

check("many under way in both directions, out of order, and collectives of parts", () => {
  const ks = [0, 1, 2];
  const targets = ks.map(() => onDevice(new Uint8Array(96)));
  const sources = ks.map(numbers);
  const receives = targets.map((buffer, k) => nccl.irecv({ buffer, datatype: asked }, before, { tag: 2 - k }));
  const sends = sources.map((buffer, k) => nccl.isend({ buffer, datatype: asked }, next, { tag: k }));
  mpi.requests.waitAll([...sends, ...receives]);
  targets.forEach((memory, k) => equal(doubles(memory)[3], before * 100 + 10 * (2 - k) + 3, `tag ${2 - k}`));
  const one = mpi.commit(vector(1, 1, 1, double), { method: "nccl" });
  const [out, into] = [onDevice(bytes([rank, rank + 10])), onDevice(new Uint8Array(8 * size))];
  const [counts, displacements] = [Array(size).fill(1), Array.from({ length: size }, (_, i) => i)];
  nccl.alltoallv(
    { buffer: out, datatype: one, counts, displacements: displacements.map((i) => i % 2) },
    { buffer: into, datatype: one, counts, displacements },
  );
  equal(
    doubles(into),
    displacements.map((i) => i + 10 * (rank % 2)),
    "alltoallv",
  );
});

check("large messages in pieces", () => {
  const rows = 2 ** 13 + 1;
  const pieces = world.dup({ devices: "nccl", gpu, pipeline: { chunkBytes: 2 ** 15 } });
  const large = mpi.commit(vector(2, rows, rows + 8, double), { method: "nccl" });
  const imageOf = (seed) => new Uint8Array(Float64Array.from({ length: 2 * rows + 8 }, (_, i) => i + seed).buffer);
  const into = onDevice(new Uint8Array(16 * rows + 64));
  for (const datatype of [mpi.commit(contiguous(2 * rows, double), { method: "nccl" }), large]) {
    const elements = { buffer: onDevice(imageOf(rank)), datatype: large, count: 1 };
    pieces.sendrecv(elements, next, { buffer: into, datatype, count: 1 }, before);
    const [got, there] = [bytesOf(into), imageOf(before)];
    const second = datatype === large ? 8 * rows + 64 : 8 * rows;
    equal(Buffer.compare(got.subarray(0, 8 * rows), there.subarray(0, 8 * rows)), 0, "first row");
    equal(Buffer.compare(got.subarray(second, second + 8 * rows), there.subarray(8 * rows + 64)), 0, "second row");
  }
  pieces.free();
});

checkFault("a receiver whose NCCL refuses: the message goes by way of the host, and the plan says why", () => {
  if (size === 1) return;
  const refusing = world.dup({ devices: "nccl", gpu });
  ncclFault.call = (call) => (call === "ncclRecv" ? 3 : undefined);
  // One after another: a receiver that sends as well may lack kernels for it, and then asks nothing of NCCL.
  for (let from = 0; from < size; from++) {
    const into = onDevice(new Uint8Array(96));
    if (rank === from) refusing.send({ buffer: numbers(), datatype: asked }, next);
    if (rank !== (from + 1) % size) continue;
    refusing.recv({ buffer: into, datatype: asked }, before);
    equal(doubles(into)[3], before * 100 + 3);
  }
  ncclFault.call = undefined;
  const { reason } = refusing.plan({ buffer: numbers(), datatype: asked }, next);
  matches({ message: reason }, /; not by NCCL: (rank \d refused: )?ncclRecv: internal error$/);
  refusing.free();
});

checkFault("a sender that is lost is told on both sides, and later messages go by way of the host", () => {
  if (size === 1) return;
  const lost = world.dup({ devices: "nccl", gpu });
  const elements = { buffer: numbers(), datatype: asked };
  if (rank === 0) ncclFault.call = (call) => (call === "ncclSend" ? 1 : undefined);
  const what = rank === 0 ? () => lost.send(elements, 1) : () => lost.recv(elements, 0);
  if (rank < 2)
    matches(
      thrown(what),
      rank === 0
        ? /^ncclSend: unhandled cuda error/
        : /^recv from 0: expected its GPU to send the message, got ncclSend: unhandled cuda error/,
    );
  ncclFault.call = undefined;
  const host = new Float64Array(4);
  if (rank < 2) lost.sendrecv(elements, other, host, other);
  lost.free();
});

nccl.free();
report();
