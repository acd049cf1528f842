// Blocking messages whose route is still open: every way that is tried moves the same bytes, whole and short.
import { hostMemory } from "@stowage/backend-api";
import { resized, vector } from "@stowage/ir";
import { double } from "./elements.mjs";
import { check, equal, mpi, rank, size, world } from "./checks.mjs";

check("the first messages of a type arrive whole by every way", () => {
  if (size === 1) return;
  const comm = world.dup(); // without the time limit of the checks: blocking calls alone are tried
  comm.settings = { hints: { route: "auto" } };
  const blocks = 3000;
  const type = mpi.commit(resized(0, 24 * blocks, vector(blocks, 2, 3, double)));
  const peer = rank ^ 1;
  const message = (values, count) => ({
    buffer: { memory: hostMemory(values), originBytes: 0 },
    datatype: type,
    count,
  });
  if (peer < size) {
    for (let turn = 0; turn < 30; turn++) {
      const isShort = turn % 3 === 2; // one element of two, into room for two
      const values = (of) =>
        Float64Array.from({ length: 6 * blocks }, (_, i) => (i % 3 === 2 ? -1 : of * 1e6 + turn + i));
      const into = new Float64Array(6 * blocks).fill(-1);
      const out = message(values(rank), isShort ? 1 : 2);
      const status =
        rank < peer ? (comm.send(out, peer), comm.recv(message(into, 2), peer)) : comm.recv(message(into, 2), peer);
      if (rank > peer) comm.send(out, peer);
      const sent = values(peer);
      const end = isShort ? 3 * blocks : 6 * blocks;
      equal(status.sizeBytes, (isShort ? 1 : 2) * type.sizeBytes);
      const wrong = into.findIndex((value, i) => value !== (i < end ? sent[i] : -1));
      equal(wrong, -1, `place of a wrong double in turn ${turn}`);
    }
  }
  equal(type.costs.size > 0 || peer >= size, true);
  type[Symbol.dispose]();
  comm.free();
});
