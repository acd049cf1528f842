// Messages, collectives, windows and files of a simulated device's memory, against what the host's give.
import { bytesOf, context, fault, onDevice } from "./gpus.mjs";
import "./device-windows.mjs";
import { vector } from "@stowage/ir";
import { IN_PLACE } from "@stowage/mpi-bridge";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import "./reductions-of-devices.mjs";
import { check, checkFault, equal, matches, mpi, rank, report, size, thrown, world } from "./checks.mjs";
import { before, COUNT, double, expected, filled, next, ORIGIN, TYPES } from "./elements.mjs";

const message = (memory, datatype, count = COUNT) => ({ buffer: { memory, originBytes: ORIGIN }, datatype, count });
const bytes = (list) => new Uint8Array(Float64Array.from(list).buffer);
const doubles = (memory) => new Float64Array(bytesOf(memory).buffer);
const whole = (memory, datatype = "MPI_DOUBLE") => ({ buffer: memory, datatype, count: memory.sizeBytes / 8 });

for (const [name, type] of Object.entries(TYPES)) {
  check(`sendrecv in a ring of ${name}, device to device and to the host`, () => {
    const [from, into, host] = [onDevice(filled(rank)), onDevice(filled(99)), filled(99)];
    const known = mpi.typeOf(type);
    const status = world.sendrecv(message(from, type), next, message(into, type), before);
    equal([status.source, status.sizeBytes], [before, COUNT * known.sizeBytes], "status");
    equal(bytesOf(into), expected(known, COUNT, before), "bytes on the device");
    const onHost = { buffer: { memory: { kind: "host", sizeBytes: host.length, bytes: host }, originBytes: ORIGIN } };
    world.sendrecv(message(from, type), next, { ...onHost, datatype: type, count: COUNT }, before);
    equal(host, expected(known, COUNT, before), "bytes on the host");
  });
}

const ranks = Array.from({ length: size }, (_, i) => i);
const column = vector(4, 1, 3, double);
check("send, probe, recv, persistent and matched messages", () => {
  if (size === 1) return;
  const partner = rank ^ 1;
  const memory = onDevice(bytes(Array.from({ length: 12 }, (_, i) => rank * 100 + i)));
  const elements = { buffer: memory, datatype: column, count: 1 };
  const theirs = [0, 3, 6, 9].map((i) => partner * 100 + i);
  const columnOf = (held) => [0, 3, 6, 9].map((i) => doubles(held)[i]);
  const into = onDevice(new Uint8Array(96));
  const target = { ...elements, buffer: into };
  const turns = [
    [() => world.send(elements, partner), () => world.recv(target, partner)],
    [() => world.ssend(elements, partner), () => (world.probe(partner), world.recv(target, partner))],
    [() => world.isend(elements, partner).wait(), () => world.irecv(target, partner).wait()],
    [() => world.send(elements, partner), () => world.mprobe(partner).recv(target)],
    [
      () => {
        const request = world.sendInit(elements, partner);
        request.start();
        request.wait();
        request.free();
      },
      () => {
        const request = world.recvInit(target, partner);
        request.start();
        request.wait();
        request.free();
      },
    ],
  ];
  for (const [i, [send, receive]] of turns.entries()) {
    into.fill(0, context.foreignStream(0));
    for (const act of rank % 2 === 0 ? [send, receive] : [receive, send]) act();
    equal(columnOf(into), theirs, `turn ${i}`);
  }
});

check("bound messages", () => {
  if (size === 1) return;
  const partner = rank ^ 1;
  const [from, into] = [onDevice(bytes([rank, 5])), onDevice(new Uint8Array(16))];
  const [out, back] = [world.bindSend(whole(from), partner), world.bindRecv(whole(into), partner)];
  for (const act of rank % 2 === 0 ? [() => out.send(), () => back.recv()] : [() => back.recv(), () => out.send()])
    act();
  equal(doubles(into), [partner, 5]);
});

check("a shorter message leaves the rest of the device's memory", () => {
  const [from, into] = [onDevice(bytes([rank, rank + 1])), onDevice(bytes([7, 7, 7]))];
  world.sendrecv(whole(from), next, whole(into), before);
  equal(doubles(into), [before, before + 1, 7]);
});

check("messages in chunks", () => {
  const framed = world.dup({ pipeline: { chunkBytes: 1024, depth: 2 } });
  const from = onDevice(bytes(Array.from({ length: 900 }, (_, i) => rank * 1000 + i)));
  const into = onDevice(new Uint8Array(7200));
  const wide = vector(300, 1, 3, double);
  const elements = (buffer) => ({ buffer, datatype: wide, count: 1 });
  framed.sendrecv(elements(from), next, elements(into), before);
  equal(
    doubles(into),
    Array.from({ length: 900 }, (_, i) => (i % 3 === 0 ? before * 1000 + i : 0)),
  );
});

check("collectives", () => {
  const own = onDevice(bytes([rank, rank + 0.5]));
  const all = onDevice(new Uint8Array(16 * size));
  world.allgather(whole(own), whole(all));
  equal(
    doubles(all),
    ranks.flatMap((i) => [i, i + 0.5]),
    "allgather",
  );
  world.bcast(whole(own), size - 1);
  equal(doubles(own), [size - 1, size - 0.5], "bcast");
  const gathered = rank === 0 ? onDevice(new Uint8Array(16 * size)) : undefined;
  world.gather(whole(own), gathered && whole(gathered), 0);
  if (gathered)
    equal(
      doubles(gathered),
      ranks.flatMap(() => [size - 1, size - 0.5]),
      "gather",
    );
  const out = onDevice(bytes(ranks.map((i) => rank * 10 + i)));
  const into = onDevice(new Uint8Array(8 * size));
  world.alltoall(whole(out), whole(into));
  equal(
    doubles(into),
    ranks.map((i) => i * 10 + rank),
    "alltoall",
  );
  const sum = onDevice(new Uint8Array(8 * size));
  world.allreduce(whole(out), whole(sum));
  equal(
    doubles(sum),
    ranks.map((i) => ranks.reduce((total, r) => total + r * 10 + i, 0)),
    "allreduce",
  );
  world.iallreduce(IN_PLACE, whole(sum), { op: "max" }).wait();
  const types = ranks.map(() => "MPI_DOUBLE");
  const counts = ranks.map(() => 1);
  const back = ranks.map((i) => 8 * (size - 1 - i));
  const there = ranks.map((i) => 8 * i);
  world.alltoallw(
    { buffer: out, datatypes: types, counts, displacementsBytes: there },
    { buffer: into, datatypes: types, counts, displacementsBytes: back },
  );
  equal(doubles(into), ranks.map((i) => i * 10 + rank).reverse(), "alltoallw");
  world.alltoallv(
    { buffer: out, datatype: "MPI_DOUBLE", counts },
    { buffer: into, datatype: "MPI_DOUBLE", counts, displacements: [...ranks].reverse() },
  );
  equal(doubles(into), ranks.map((i) => i * 10 + rank).reverse(), "alltoallv");
});

check("sparse and neighbour collectives, a datatype for each peer", () => {
  const from = onDevice(bytes(Array.from({ length: 12 }, (_, i) => rank * 100 + i)));
  const into = onDevice(new Uint8Array(96));
  const elements = (buffer) => ({ buffer, datatype: column, count: 1 });
  world.alltoallPeers(new Map([[next, elements(from)]]), new Map([[before, elements(into)]]));
  equal(
    [0, 3, 6, 9].map((i) => doubles(into)[i]),
    [0, 3, 6, 9].map((i) => before * 100 + i),
    "alltoallPeers",
  );
  const ring = world.createDistGraph([before], [next]);
  const there = onDevice(new Uint8Array(96));
  ring.neighborAlltoallw(
    { buffer: from, datatypes: [column], counts: [1], displacementsBytes: [8] },
    { buffer: there, datatypes: [column], counts: [1], displacementsBytes: [0] },
  );
  equal(
    [0, 3, 6, 9].map((i) => doubles(there)[i]),
    [1, 4, 7, 10].map((i) => before * 100 + i),
    "neighborAlltoallw",
  );
});

for (const route of ["packed", "native"])
  check(`files, ${route}`, () => {
    const path = `${tmpdir()}/stowage-devices-${process.ppid}-${route}`;
    const file = mpi.openFile(world, path, { mode: "rw", route });
    const from = onDevice(bytes(Array.from({ length: 12 }, (_, i) => rank * 100 + i)));
    file.writeAtAll(32 * rank, { buffer: from, datatype: column, count: 1 });
    const into = onDevice(new Uint8Array(32));
    file.readAtAll(32 * rank, whole(into));
    equal(
      doubles(into),
      [0, 3, 6, 9].map((i) => rank * 100 + i),
    );
    file.close();
    if (rank === 0) rmSync(path);
  });

check("the packer, in this machine's bytes and in external32", () => {
  const from = onDevice(bytes([1, 2, 3, 4]));
  const packed = new Uint8Array(32);
  equal(mpi.packer.packExternal("external32", whole(from), packed), 32, "position");
  const into = onDevice(new Uint8Array(32));
  mpi.packer.unpackExternal("external32", packed, 0, whole(into));
  equal(doubles(into), [1, 2, 3, 4]);
});

check("the plan of a message says how it goes, and why", () => {
  const memory = context.deviceMemory(2 ** 16);
  const wide = vector(256, 1, 4, double);
  const plan = world.plan({ buffer: memory, datatype: wide, count: 1 });
  matches(
    { message: plan.reason },
    /^the least predicted time; (openmpi|mpich)\S* does not take device memory; not from GPU to GPU: its communicator was not duplicated/,
  );
  equal(plan.predicted.map(({ method }) => method).sort(), ["one-shot", "pipelined", "staged"], "methods");
  equal(plan.method, plan.predicted[0].method, "the quickest");
  equal(world.plan(new Float64Array(2)).method, "host");
  for (const method of ["one-shot", "staged", "pipelined"]) {
    const forced = mpi.commit(column, { method });
    const from = onDevice(bytes(Array.from({ length: 12 }, (_, i) => rank * 100 + i)));
    const into = onDevice(new Uint8Array(96));
    world.sendrecv({ buffer: from, datatype: forced }, next, { buffer: into, datatype: forced }, before);
    equal(doubles(into)[3], before * 100 + 3, method);
    equal(world.plan({ buffer: from, datatype: forced }).method, method);
  }
  const asked = mpi.commit(column, { method: "device" });
  matches(
    thrown(() => world.send({ buffer: memory, datatype: asked }, next)),
    /^carrier device: expected an MPI that takes device memory, got (openmpi|mpich)\S* does not take device memory$/,
  );
});

check("memory that is too short, freed or nowhere is refused in a line", () => {
  const memory = context.deviceMemory(64);
  matches(
    thrown(() => world.send({ buffer: memory, datatype: "MPI_DOUBLE", count: 9 }, next)),
    /^elements of a message: expected bytes within a memory of 64, got bytes \[0, 72\)$/,
  );
  matches(
    thrown(() => world.send({ buffer: { kind: "device", sizeBytes: 64 }, datatype: "MPI_DOUBLE" }, next)),
    /^memory of a message: expected device memory with an address, got none$/,
  );
  memory[Symbol.dispose]();
  matches(
    thrown(() => world.send({ buffer: memory, datatype: "MPI_DOUBLE", count: 1 }, next)),
    /^device memory: expected one in use, got a disposed one$/,
  );
});

checkFault("a lost device is told in a line, and the world goes on", () => {
  const memory = onDevice(bytes([1, 2]));
  fault.result = 700;
  const error = thrown(() => world.send(whole(memory), next));
  fault.result = undefined;
  matches(error, /700|ILLEGAL_ADDRESS|lost/);
  const into = new Float64Array(1);
  world.sendrecv(Float64Array.of(rank), next, into, before);
  equal(into, [before]);
});

report();
