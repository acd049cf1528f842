// What a program may do wrong: each is told in a line, and the messages behind it arrive.
import { BridgeError, Mailbox } from "@stowage/mpi-bridge";
import { predefined, vector } from "@stowage/ir";
import { check, checkAsync, equal, matches, mpi, rank, report, size, thrown, until, world } from "./checks.mjs";
import { before, next } from "./elements.mjs";

const refused = (work, pattern) => {
  const error = thrown(work);
  matches(error, pattern);
  if (!(error instanceof BridgeError)) throw new Error(`expected a BridgeError, got ${error.name}: ${error.message}`);
};

check("a request twice in a list counts once", () => {
  const { requests } = mpi;
  for (const name of ["waitAll", "testAll", "waitAny", "testAny", "waitSome", "testSome"]) {
    const into = new Int32Array(1);
    const receive = world.irecv(into, before, { tag: 1 });
    const send = world.isend(Int32Array.of(rank), next, { tag: 1 });
    const list = [receive, receive, send, send, receive];
    let ended = requests[name](list);
    while (name === "testAll" && ended === undefined) ended = requests.testAll(list);
    if (name === "testSome" || name === "waitSome")
      equal(new Set(ended.map(({ index }) => list[index])).size, ended.length);
    equal(requests.waitAll(list).length, 5, name);
    equal(into[0], before, name);
  }
});

check("a time limit that is none is refused", () => {
  const receive = world.irecv(new Int32Array(1), before, { tag: 2 });
  for (const timeoutMs of [NaN, -1, "5", null]) {
    const pattern = /^(options|settings of a communicator): timeoutMs: expected milliseconds of 0 or more, got /;
    refused(() => receive.wait({ timeoutMs }), pattern);
    refused(() => mpi.requests.waitAll([receive], { timeoutMs }), pattern);
    refused(() => mpi.requests.waitAny([receive], { timeoutMs }), pattern);
    refused(() => mpi.requests.waitSome([receive], { timeoutMs }), pattern);
    refused(() => world.recv(new Int32Array(1), before, { timeoutMs }), pattern);
    refused(() => world.probe(before, { timeoutMs }), pattern);
    refused(() => (world.dup().settings = { timeoutMs }), pattern);
  }
  receive.cancel();
  equal(receive.wait().cancelled, true);
});

check("options that there are not are refused by name", () => {
  const one = new Int32Array(1);
  const refusals = [
    () => world.send(one, next, { tga: 3 }),
    () => world.isend(one, next, { timeout: 3 }),
    () => world.recv(one, before, { Tag: 3 }),
    () => world.sendrecv(one, next, new Int32Array(1), before, { tag: 3 }),
    () => world.iprobe(before, { source: 3 }),
    () => world.sendInit(one, next, { tags: 3 }),
    () => world.allreduce(one, new Int32Array(1), { operation: "max" }),
    () => (world.dup().settings = { timeout: 3 }),
    () => world.alltoallPeers(new Map(), new Map(), { timeout: 3 }),
    () => mpi.createWindow(world, one, { unit: 4 }),
    () => mpi.openFile(world, "/tmp/x", { modes: "r" }),
    () => mpi.requests.waitAll([], { timeout: 3 }),
    () => world.dup({ pipe: {} }),
    () => world.dup({ pipeline: { chunks: 1 } }),
    () => world.createCart([size], { period: [] }),
    () => world.createDistGraph([], [], { weights: [] }),
    () => mpi.commit("MPI_INT", { backends: "x64" }),
  ];
  for (const work of refusals) refused(work, /: expected some of [a-zA-Z, ]+, got "[a-zA-Z]+"$/);
  const values = [
    () => world.dup({ devices: "tcp" }),
    () => world.dup({ pipeline: [] }),
    () => world.createCart([size], { reorder: 1 }),
    () => mpi.commit("MPI_INT", { reuse: 0 }),
    () => mpi.createWindow(world, one, { carrier: "pigeon" }),
    () => mpi.openFile(world, "/tmp/x", { peers: "theirs" }),
    () => world.send(one, next, []),
    () => world.send(one, next, null),
  ];
  for (const work of values) refused(work, /^[a-zA-Z: ]+: expected [^:]+, got [^:]+$/);
});

check("a sendrecv whose buffers share bytes is refused", () => {
  const both = new Int32Array(8);
  const pattern = /^buffers of sendrecv: expected memory apart from each other, got bytes that are in both$/;
  refused(() => world.sendrecv(both, next, both, before), pattern);
  refused(() => world.sendrecv(both.subarray(0, 5), next, both.subarray(4), before), pattern);
  const columns = { buffer: both, datatype: vector(4, 1, 2, predefined("MPI_INT")), count: 1 };
  refused(() => world.sendrecv(columns, next, { ...columns }, before), pattern);
  both.set([rank, -1, rank, -1, rank, -1, rank, -1]);
  const odd = { ...columns, buffer: both.subarray(1) };
  world.sendrecv(columns, next, odd, before);
  equal(both, [rank, before, rank, before, rank, before, rank, before], "in each other's gaps");
});

check("what was freed is told so, at once", () => {
  const receive = world.irecv(new Int32Array(1), before, { tag: 3 });
  receive.cancel();
  receive.free();
  const pattern = /^recv from \d with tag 3: expected a request in use, got a freed one$/;
  for (const work of [() => receive.wait(), () => receive.test(), () => receive.cancel(), () => receive.free()])
    refused(work, pattern);
  refused(() => mpi.requests.waitAll([receive]), pattern);
  const window = mpi.createWindow(world, new Int32Array(1));
  window.free();
  for (const work of [
    () => window.fence(),
    () => window.lock(0),
    () => window.put(new Int32Array(1), 0),
    () => window.flush(),
  ])
    refused(work, /^window: expected one in use, got a freed one$/);
  const mailbox = new Mailbox(world);
  mailbox.free();
  refused(() => mailbox.advance(), /^communicator: expected one in use, got a freed one$/);
});

check("a status is asked for a datatype", () => {
  const status = world.sendrecv(Int32Array.of(1), next, new Int32Array(1), before);
  for (const wrong of [undefined, null, "MPI_INT", 4]) {
    refused(() => status.count(wrong), /^datatype of a status: expected what commit or typeOf gave, got /);
    refused(() => status.elements(wrong), /^datatype of a status: /);
  }
});

const give = (view) => structuredClone(view, { transfer: [view.buffer] });
for (const [what, bytes] of [
  ["short", 64],
  ["long", 2 ** 22],
])
  await checkAsync(`a ${what} buffer that is transferred away under way is told in a line`, async () => {
    const pattern = /: expected its buffer until it is over, got one that was transferred away$/;
    const lost = [new Uint8Array(bytes), new Uint8Array(bytes), new Uint8Array(bytes)];
    const receives = lost.map((into, i) => world.irecv(into, before, { tag: 4 + i }));
    lost.forEach(give);
    refused(() => receives[0].wait(), pattern);
    refused(() => mpi.requests.waitAll([receives[1]]), pattern);
    const error = await receives[2].finished().catch((reason) => reason);
    matches(error, pattern);
    const persistent = new Uint8Array(bytes);
    const send = world.sendInit(persistent, next, { tag: 9 });
    give(persistent);
    refused(() => send.start(), pattern);
    send.free();
    const kept = new Uint8Array(bytes);
    world.sendrecv(new Uint8Array(bytes).fill(rank + 1), next, kept, before);
    equal(
      kept.every((byte) => byte === before + 1),
      true,
      "the next message",
    );
  });

check("a buffer that shrinks under way is told in a line, and MPI never sees it", () => {
  const resizable = () => new Uint8Array(new ArrayBuffer(2 ** 20, { maxByteLength: 2 ** 20 }));
  const [out, into, whole] = [resizable(), resizable(), resizable()];
  out.fill(rank + 1);
  const receives = [world.irecv(into, before, { tag: 6 }), world.irecv(whole, before, { tag: 7 })];
  const sends = [world.isend(out, next, { tag: 6 }), world.isend(out, next, { tag: 7 })];
  out.buffer.resize(4096);
  into.buffer.resize(4096);
  const error = thrown(() => receives[0].wait());
  matches(error, /expected/);
  equal(receives[1].wait().sizeBytes, 2 ** 20);
  for (const send of sends) send.wait();
  equal(
    whole.every((byte) => byte === before + 1),
    true,
  );
});

await until(() => mpi.underWay === 0);
check("nothing is under way at the end", () => equal(mpi.underWay, 0));
world.barrier();
report();
