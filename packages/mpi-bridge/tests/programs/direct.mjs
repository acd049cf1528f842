// Messages from one simulated GPU to another: offers, fetches by one kernel, and what is refused or lost.
import { bytesOf, context, fault, onDevice } from "./gpus.mjs";
import { vector } from "@stowage/ir";
import { check, checkFault, equal, matches, mpi, rank, report, size, thrown, world } from "./checks.mjs";
import { before, COUNT, double, expected, filled, next, ORIGIN, TYPES } from "./elements.mjs";

const message = (memory, datatype, count = COUNT) => ({ buffer: { memory, originBytes: ORIGIN }, datatype, count });
const bytes = (list) => new Uint8Array(Float64Array.from(list).buffer);
const doubles = (memory) => new Float64Array(bytesOf(memory).buffer);
const whole = (memory) => ({ buffer: memory, datatype: "MPI_DOUBLE", count: memory.sizeBytes / 8 });
const column = vector(4, 1, 3, double);
const direct = world.dup({ devices: "direct" });

for (const [method, names] of [
  ["ipc", Object.keys(TYPES)],
  ["ipc-packed", ["vector", "struct"]],
])
  for (const name of names)
    check(`from GPU to GPU by ${method}: ${name}`, () => {
      const type = mpi.commit(TYPES[name], { method });
      const [from, into] = [onDevice(filled(rank)), onDevice(filled(99))];
      for (let turn = 0; turn < 2; turn++) {
        const status = direct.sendrecv(message(from, type), next, message(into, type), before);
        equal([status.source, status.sizeBytes], [before, COUNT * type.sizeBytes], "status");
      }
      equal(bytesOf(into), expected(type, COUNT, before), "bytes");
      equal(direct.plan(message(from, type), next).method, method);
      type[Symbol.dispose]();
    });

check("two GPUs are told apart where both ranks call theirs 0", () => {
  const { predicted } = direct.plan(message(onDevice(filled(rank)), TYPES.vector), next);
  const { messageNs } = predicted.find(({ method }) => method === "ipc");
  equal(messageNs > 100_000, next % 2 === rank % 2, "charged for turns on one GPU");
});

check("from GPU to GPU between layouts that differ, and to and from the host", () => {
  const from = onDevice(bytes(Array.from({ length: 12 }, (_, i) => rank * 100 + i)));
  const sent = [0, 3, 6, 9].map((i) => before * 100 + i);
  const elements = { buffer: from, datatype: mpi.commit(column, { method: "ipc" }), count: 1 };
  const cases = [
    [vector(4, 1, 2, double), 1, [0, 2, 4, 6]],
    [double, 4, [0, 1, 2, 3]],
    [double, 6, [0, 1, 2, 3]],
    [vector(2, 1, 2, double), 2, [0, 2, 3, 5]],
  ];
  for (const [datatype, count, places] of cases) {
    const into = onDevice(new Uint8Array(96));
    direct.sendrecv(elements, next, { buffer: into, datatype, count }, before);
    equal(
      places.map((i) => doubles(into)[i]),
      sent,
      "on the device",
    );
  }
  const host = new Float64Array(4);
  direct.sendrecv(elements, next, host, before);
  equal(host, sent, "to the host");
  const into = onDevice(new Uint8Array(96));
  direct.sendrecv(Float64Array.of(1, 2, 3, rank), next, { buffer: into, datatype: double, count: 4 }, before);
  equal(doubles(into).slice(0, 4), [1, 2, 3, before], "from the host");
  const [dense, back] = [onDevice(bytes([5, rank])), onDevice(new Uint8Array(96))];
  direct.sendrecv(whole(dense), next, { buffer: back, datatype: vector(2, 1, 4, double), count: 1 }, before);
  equal(
    [0, 4].map((i) => doubles(back)[i]),
    [5, before],
    "from a run of bytes",
  );
});

check("from the host's shared memory to a GPU", () => {
  const values = (seed) => Float64Array.from({ length: 9000 }, (_, i) => seed * 1e6 + i);
  equal(direct.explain(values(rank), next).carrier, "ipc");
  for (const [datatype, length] of [
    [double, 9000],
    [vector(4500, 2, 3, double), 13_500],
  ]) {
    const into = onDevice(new Uint8Array(8 * length));
    const count = datatype === double ? 9000 : 1;
    direct.sendrecv(values(rank), next, { buffer: into, datatype, count }, before);
    const got = doubles(into).filter((_, i) => datatype === double || i % 3 < 2);
    equal(got, values(before), `into ${count} of a device's`);
  }
});

check("many offers under way, probed, out of order and cut short", () => {
  const type = mpi.commit(column, { method: "ipc" });
  const sources = [0, 1, 2].map((k) => onDevice(bytes(Array.from({ length: 12 }, (_, i) => rank * 100 + 10 * k + i))));
  const targets = [0, 1, 2].map(() => onDevice(new Uint8Array(96)));
  const receives = targets.map((buffer, k) => direct.irecv({ buffer, datatype: type }, before, { tag: 2 - k }));
  const sends = sources.map((buffer, k) => direct.isend({ buffer, datatype: type }, next, { tag: k }));
  mpi.requests.waitAll([...sends, ...receives]);
  targets.forEach((memory, k) => equal(doubles(memory)[3], before * 100 + 10 * (2 - k) + 3, `tag ${2 - k}`));
  const sending = direct.isend({ buffer: sources[0], datatype: type }, next);
  equal(direct.probe(before).sizeBytes, 32, "probe");
  const short = onDevice(bytes([7]));
  matches(
    thrown(() => direct.recv(whole(short), before)),
    /MPI_ERR_TRUNCATE/,
  );
  sending.wait();
  equal(doubles(short), [7], "cut short");
  const all = onDevice(new Uint8Array(96));
  direct.alltoallPeers(
    new Map([[next, { buffer: sources[0], datatype: type }]]),
    new Map([[before, { buffer: all, datatype: type }]]),
  );
  equal(doubles(all)[3], before * 100 + 3, "alltoallPeers");
});

checkFault("a handle that is refused: the message goes by way of the host, and the plan says why", () => {
  if (size === 1) return;
  const refusing = world.dup({ devices: "direct" });
  const type = mpi.commit(column, { method: "ipc" });
  fault.call = (call) => (call === "cuIpcOpenMemHandle_v2" ? 800 : undefined);
  for (let turn = 0; turn < 2; turn++) {
    const from = onDevice(bytes(Array.from({ length: 12 }, (_, i) => rank * 100 + i)));
    const into = onDevice(new Uint8Array(96));
    refusing.sendrecv({ buffer: from, datatype: type }, next, { buffer: into, datatype: type }, before);
    equal(doubles(into)[3], before * 100 + 3);
    matches(
      { message: refusing.plan({ buffer: from, datatype: type }, next).reason },
      /not from GPU to GPU: rank \d refused: cuIpcOpenMemHandle/,
    );
  }
  fault.call = undefined;
  refusing.free();
});

checkFault("a device that is lost in the middle of a fetch is told on both sides", () => {
  if (size === 1) return;
  const lost = world.dup({ devices: "direct" });
  const type = mpi.commit(column, { method: "ipc" });
  const memory = onDevice(bytes(Array.from({ length: 12 }, (_, i) => i)));
  if (rank === 1) fault.call = (call) => (call === "cuEventQuery" ? 700 : undefined);
  const elements = { buffer: memory, datatype: type };
  const what = rank === 0 ? () => lost.send(elements, 1) : () => lost.recv(elements, 0);
  if (rank < 2)
    matches(thrown(what), rank === 0 ? /^send to 1: expected its GPU to fetch the message, got / : /700|ILLEGAL/);
  fault.call = undefined;
  context.synchronize();
  lost.free();
});

report();
