import { ANY_SOURCE, ANY_TAG, PROC_NULL } from "@stowage/mpi-bridge";
import { hostMemory } from "@stowage/backend-api";
import { check, equal, matches, mpi, rank, size, thrown, world } from "./checks.mjs";
import { before, COUNT, expected, filled, message, next, ORIGIN, TYPES } from "./elements.mjs";
import { predefined, vector } from "@stowage/ir";

for (const [name, type] of Object.entries(TYPES)) {
  check(`sendrecv in a ring of ${name}`, () => {
    const into = filled(99);
    const status = world.sendrecv(message(filled(rank), type), next, message(into, type), before, {
      sendTag: 5,
      recvTag: 5,
    });
    const known = mpi.typeOf(type);
    equal(into, expected(known, COUNT, before), "bytes");
    equal([status.source, status.tag, status.sizeBytes], [before, 5, COUNT * known.sizeBytes], "status");
    equal(status.count(known), COUNT, "count");
  });
}

check("typed arrays, ndarrays and spans are buffers", () => {
  const out = Float64Array.from({ length: 12 }, (_, i) => rank * 100 + i);
  // Columns 0 and 2 of a 4 x 3 matrix, as an ndarray.
  const columns = { data: out, shape: [2, 4], stride: [2, 3], offset: 0 };
  const into = new Float64Array(8);
  world.sendrecv(columns, next, into, before);
  equal(
    into,
    [0, 3, 6, 9, 2, 5, 8, 11].map((i) => before * 100 + i),
    "columns",
  );
  const bytes = new Uint8Array(8);
  world.sendrecv({ memory: hostMemory(Uint8Array.of(1, 2, 3, 4, 5)), originBytes: 2 }, next, bytes, before);
  equal(bytes, [3, 4, 5, 0, 0, 0, 0, 0], "span");
  const big = new BigInt64Array(2);
  world.sendrecv(BigInt64Array.of(-5n, BigInt(rank)), next, big, before);
  equal(big, BigInt64Array.of(-5n, BigInt(before)), "64-bit integers");
});

check("send, ssend, recv, probe and mprobe", () => {
  if (size === 1) return;
  const partner = rank ^ 1;
  if (rank % 2 === 0) {
    world.send(Int32Array.of(1, 2, 3), partner, { tag: 1 });
    world.ssend(Int32Array.of(4, 5), partner, { tag: 2 });
    world.send(Int32Array.of(6), partner, { tag: 3 });
    world.send(new Int32Array(0), partner, { tag: 4 });
  } else {
    const into = new Int32Array(8);
    const probed = world.probe(ANY_SOURCE, { tag: 1 });
    equal([probed.source, probed.tag, probed.sizeBytes, probed.count(mpi.typeOf("MPI_INT"))], [partner, 1, 12, 3]);
    const status = world.recv(into, ANY_SOURCE, { tag: ANY_TAG });
    equal([status.source, status.tag, status.sizeBytes], [partner, 1, 12]);
    equal(world.recv(into, partner, { tag: 2 }).sizeBytes, 8);
    equal(into, [4, 5, 3, 0, 0, 0, 0, 0], "a short message leaves the rest");
    const matched = world.mprobe(partner, { tag: 3 });
    equal([matched.status.tag, matched.status.sizeBytes], [3, 4]);
    equal(matched.recv(into).sizeBytes, 4);
    matches(
      thrown(() => matched.recv(into)),
      /message of mprobe: expected one to be received, got one that was/,
    );
    equal(world.recv(into, partner, { tag: 4 }).sizeBytes, 0, "an empty message");
    equal(world.iprobe(ANY_SOURCE, { tag: 77 }), undefined);
    equal(world.improbe(ANY_SOURCE, { tag: 77 }), undefined);
  }
});

check("receives unpack what arrived, not what was posted", () => {
  const type = mpi.typeOf(TYPES.vector);
  const into = filled(99);
  const status = world.sendrecv(message(filled(rank), TYPES.vector, 1), next, message(into, TYPES.vector, 5), before);
  equal(status.sizeBytes, type.sizeBytes);
  equal(into, expected(type, 1, before), "bytes");
  // Three of an element's eight doubles: no whole element, three basic ones.
  const part = filled(99);
  const short = world.sendrecv(Float64Array.of(1, 2, 3), next, message(part, TYPES.vector, 2), before);
  equal([short.count(type) ?? "undefined", short.elements(type)], ["undefined", 3]);
  const got = new DataView(part.buffer);
  equal(
    [0, 8, 24].map((at) => got.getFloat64(ORIGIN + at, true)),
    [1, 2, 3],
    "the doubles that came",
  );
  equal(part[ORIGIN + 32], filled(99)[ORIGIN + 32], "the byte after them");
});

check("truncation is MPI's error, with its class, and the next message comes", () => {
  for (const type of [undefined, TYPES.vector]) {
    const large = type === undefined ? new Float64Array(20) : message(filled(rank), type, 2);
    const small = type === undefined ? new Float64Array(2) : message(filled(99), type, 1);
    const sending = world.isend(large, next, { tag: 9 });
    const error = thrown(() => world.recv(small, before, { tag: 9 }));
    equal([error.name, error.errorClass], ["MpiError", "MPI_ERR_TRUNCATE"]);
    sending.wait();
    const ok = new Int32Array(1);
    world.sendrecv(Int32Array.of(rank), next, ok, before);
    equal(ok[0], before);
  }
});

check("no partner is a partner: PROC_NULL", () => {
  world.send(Int32Array.of(1), PROC_NULL);
  const status = world.recv(new Int32Array(1), PROC_NULL);
  equal([status.source, status.sizeBytes], [PROC_NULL, 0]);
});

check("errors are MPI's, with class and text in one line", () => {
  const rankError = thrown(() => world.send(Int32Array.of(1), size + 5));
  equal([rankError.name, rankError.errorClass], ["MpiError", "MPI_ERR_RANK"]);
  equal(thrown(() => world.send(Int32Array.of(1), 0, { tag: -7 })).errorClass, "MPI_ERR_TAG");
  matches(
    thrown(() => world.send(Int32Array.of(1), 0.5)),
    /^rank of send: expected a 32-bit integer, got 0\.5$/,
  );
  matches(
    thrown(() => world.send("text", 0)),
    /^message: expected a typed array, .* got "text"$/,
  );
  matches(
    thrown(() => world.send({ buffer: new Uint8Array(8), datatype: TYPES.vector, count: 1 }, 0)),
    /^elements of a message: expected bytes within a memory of 8, got bytes \[0, 88\)$/,
  );
  matches(
    thrown(() => world.recv(new Int32Array(1), before, { tag: 99, timeoutMs: 30 })),
    /^recv from \d with tag 99: expected an end within 30 ms, got none$/,
  );
  matches(
    thrown(() => world.probe(before, { tag: 99, timeoutMs: 5 })),
    /^probe: expected an end within 5 ms, got none$/,
  );
  const type = mpi.commit(TYPES.vector);
  type[Symbol.dispose]();
  matches(
    thrown(() => world.send({ buffer: new Uint8Array(800), datatype: type, count: 1 }, next)),
    /^datatype: expected one in use, got a freed one$/,
  );
});

check("bound messages carry what the buffer holds at each call, and say what they cannot be", () => {
  const [out, into] = [new Int32Array(2), new Int32Array(2)];
  const [sending, receiving] = [world.bindSend(out, next, { tag: 8 }), world.bindRecv(into, before, { tag: 8 })];
  for (let i = 0; i < 3; i++) {
    out.fill(i + 5 * rank);
    const ahead = world.isend(out.slice(), next, { tag: 9 });
    if (size === 1) world.isend(out, next, { tag: 8 }).free();
    else sending.send();
    const { source, sizeBytes } = receiving.recv();
    equal([source, sizeBytes, into[1]], [before, 8, i + 5 * before]);
    world.recv(into, before, { tag: 9 });
    ahead.wait();
  }
  matches(
    thrown(() => world.bindSend({ buffer: out, datatype: vector(2, 1, 2, predefined("MPI_CHAR")) }, next)),
    /^bound message: expected elements side by side, got scattered ones$/,
  );
  const lent = new Int32Array(2);
  const bound = world.bindSend(lent, next);
  structuredClone(lent, { transfer: [lent.buffer] });
  matches(
    thrown(() => bound.send()),
    /^bound message: expected memory of its own, got a detached buffer$/,
  );
});
