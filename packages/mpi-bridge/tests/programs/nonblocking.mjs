import { PROC_NULL } from "@stowage/mpi-bridge";
import { check, checkAsync, equal, matches, mpi, rank, thrown, world } from "./checks.mjs";
import { before, COUNT, expected, filled, message, next, TYPES } from "./elements.mjs";

check("nonblocking operations end by wait and test in all forms", () => {
  const { requests } = mpi;
  const into = Array.from({ length: 6 }, () => new Int32Array(2));
  const receives = into.map((buffer, tag) => world.irecv(buffer, before, { tag }));
  const lonely = world.irecv(new Int32Array(1), before, { tag: 40 });
  equal([requests.testAny([]) ?? "none", requests.testSome([lonely]).length], ["none", 0]);
  world.barrier();
  world.send(Int32Array.of(1), next, { tag: 40 });
  lonely.wait();
  const sends = into.map((_, tag) => world.isend(Int32Array.of(rank, tag), next, { tag }));
  requests.waitAll(sends);
  const first = requests.waitAny(receives);
  const some = requests.waitSome(receives);
  const rest = requests.waitAll(receives);
  equal(
    rest.map(({ source, tag }) => [source, tag]),
    into.map((_, tag) => [before, tag]),
  );
  equal(
    into.map((buffer) => [...buffer]),
    into.map((_, tag) => [before, tag]),
  );
  equal(
    [first.status.tag === first.index, some.length > 0, requests.waitAny(receives) ?? "none"],
    [true, true, "none"],
  );
  equal(requests.testAll(receives).length, 6);
  const one = world.irecv(into[0], before, { tag: 50 });
  equal([one.test() ?? "under way", one.peek()], ["under way", false]);
  world.barrier();
  world.issend(Int32Array.of(7, 8), next, { tag: 50 }).free();
  while (one.test() === undefined);
  equal([...into[0]], [7, 8]);
  equal(one.test().sizeBytes, 8, "a request that is over keeps its status");
  one.free();
  matches(
    thrown(() => one.wait()),
    /^recv from \d with tag 50: expected a request in use, got a freed one$/,
  );
  matches(
    thrown(() => one.free()),
    /expected a request in use, got a freed one$/,
  );
});

check("a receive can be cancelled", () => {
  const request = world.irecv(new Int32Array(1), before, { tag: 60 });
  request.cancel();
  equal(request.wait().cancelled, true);
});

check("persistent operations start again and again", () => {
  const out = message(filled(rank), TYPES.vector);
  const into = filled(99);
  const [send, recv] = [
    world.sendInit(out, next, { tag: 8 }),
    world.recvInit(message(into, TYPES.vector), before, { tag: 8 }),
  ];
  for (let turn = 0; turn < 3; turn++) {
    out.buffer.memory.bytes.set(filled(rank + turn));
    into.set(filled(99));
    mpi.requests.startAll([recv, send]);
    matches(
      thrown(() => recv.start()),
      /^start of recv from \d with tag 8: expected an inactive request, got one that is active$/,
    );
    mpi.requests.waitAll([recv, send]);
    equal(into, expected(mpi.typeOf(TYPES.vector), COUNT, before + turn), "bytes");
  }
  send.free();
  recv.free();
  matches(
    thrown(() => send.start()),
    /got one that is freed$/,
  );
  const sync = world.ssendInit(Int32Array.of(3), PROC_NULL);
  sync.start();
  sync.wait();
  sync.free();
});

await checkAsync("promises, from one machine that leaves timers and I/O their turns", async () => {
  const into = filled(99);
  const arriving = world.irecv(message(into, TYPES.vector), before, { tag: 70 }).finished();
  let ticks = 0;
  const timer = setInterval(() => ticks++, 2);
  const { readFile } = await import("node:fs/promises");
  let reads = 0;
  for (let i = 0; i < 5; i++) reads += (await readFile(new URL(import.meta.url))).length > 0 ? 1 : 0;
  while (ticks < 3) await new Promise((resolve) => setTimeout(resolve, 2));
  const sent = world.isend(message(filled(rank), TYPES.vector), next, { tag: 70 }).finished();
  const [status] = await Promise.all([arriving, sent]);
  clearInterval(timer);
  equal(into, expected(mpi.typeOf(TYPES.vector), COUNT, before), "bytes");
  equal([status.source, reads], [before, 5]);
  const late = world.isend(new Float64Array(30), next, { tag: 71 });
  const error = await world
    .irecv(new Float64Array(3), before, { tag: 71 })
    .finished()
    .catch((reason) => reason);
  equal(error.errorClass, "MPI_ERR_TRUNCATE");
  await late.finished();
});
