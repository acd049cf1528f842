import { IN_PLACE } from "@stowage/mpi-bridge";
import { contiguous, predefined, resized, vector } from "@stowage/ir";
import { check, checkAsync, equal, matches, mpi, rank, size, thrown, world } from "./checks.mjs";

const int = predefined("MPI_INT32_T");
/** One int of every two: an element is three ints of six. */
const GAPS = resized(0, 24, vector(3, 1, 2, int));
const numbers = (count, from = 0) => Int32Array.from({ length: count }, (_, i) => from + i);
const ranks = Array.from({ length: size }, (_, i) => i);
/** Elements with gaps, filled with what `value` says of each int; -1 in the gaps. */
function gapped(count, value) {
  const ints = new Int32Array(6 * count).fill(-1);
  for (let i = 0; i < 3 * count; i++) ints[2 * i] = value(i);
  return ints;
}
const elements = (buffer, count) => ({ buffer, datatype: GAPS, count });

// Without a time limit the calls that block are MPI's own; with one, those that begin.
const blocking = world.dup();
blocking.settings = { hints: world.settings.hints };

for (const [form, comm] of Object.entries({ blocking, "with a time limit": world })) {
  check(`bcast, ${form}`, () => {
    const root = size - 1;
    const dense = rank === root ? numbers(5, 40) : new Int32Array(5);
    comm.bcast(dense, root);
    equal(dense, numbers(5, 40));
    const scattered = rank === root ? gapped(2, (i) => i + 7) : gapped(2, () => 0);
    comm.bcast(elements(scattered, 2), root);
    equal(
      scattered,
      gapped(2, (i) => i + 7),
      "with gaps",
    );
  });

  check(`gather and scatter, with gaps on one side, ${form}`, () => {
    const all = new Int32Array(6 * size).fill(-1);
    comm.gather(numbers(3, 10 * rank), rank === 0 ? elements(all, size) : undefined, 0);
    if (rank === 0)
      equal(
        all,
        gapped(size, (i) => 10 * Math.floor(i / 3) + (i % 3)),
      );
    const mine = gapped(1, () => 0);
    comm.scatter(rank === 0 ? numbers(3 * size, 100) : undefined, elements(mine, 1), 0);
    equal(
      mine,
      gapped(1, (i) => 100 + 3 * rank + i),
    );
    if (rank === 0) {
      const held = gapped(size, (i) => (i < 3 ? 5 : 0));
      comm.gather(IN_PLACE, elements(held, size), 0);
      equal(
        held,
        gapped(size, (i) => (i < 3 ? 5 : Math.floor(i / 3))),
      );
    } else comm.gather(numbers(3).fill(rank), undefined, 0);
    if (size > 1) {
      const error = thrown(() => comm.alltoall(numbers(size + 1), new Int32Array(size)));
      matches(error, /^buffer of a collective: expected elements for \d ranks, as many for each, got \d$/);
    }
  });

  check(`gatherv and scatterv, ${form}`, () => {
    const counts = ranks.map((i) => i + 1);
    const starts = ranks.map((i) => (i * (i + 1)) / 2 + i);
    const total = starts.at(-1) + size + 1;
    const into = new Int32Array(6 * total).fill(-1);
    const parts = { buffer: into, datatype: GAPS, counts, displacements: starts };
    comm.gatherv(
      elements(
        gapped(rank + 1, (i) => 100 * rank + i),
        rank + 1,
      ),
      rank === 0 ? parts : undefined,
      0,
    );
    const want = new Int32Array(6 * total).fill(-1);
    for (const i of ranks)
      want.set(
        gapped(i + 1, (k) => 100 * i + k),
        6 * starts[i],
      );
    // Behind an element's last int there is no byte of it.
    if (rank === 0) equal(into, want);
    const mine = new Int32Array(3 * (rank + 1));
    comm.scatterv(rank === 0 ? { ...parts, buffer: want } : undefined, mine, 0);
    equal(mine, numbers(3 * (rank + 1), 100 * rank));
  });

  check(`allgather(v) and alltoall(v, w), ${form}`, () => {
    const all = new Int32Array(size);
    comm.allgather(Int32Array.of(rank * rank), all);
    equal(
      all,
      ranks.map((i) => i * i),
    );
    const lists = new Int32Array(6 * size).fill(-1);
    comm.allgatherv(numbers(3, rank), { buffer: lists, datatype: GAPS, counts: ranks.map(() => 1) });
    equal(
      lists,
      gapped(size, (i) => Math.floor(i / 3) + (i % 3)),
    );
    const swapped = new Int32Array(size);
    comm.alltoall(
      Int32Array.from(ranks, (i) => 10 * rank + i),
      swapped,
    );
    equal(
      swapped,
      ranks.map((i) => 10 * i + rank),
    );
    const held = Int32Array.from(ranks, (i) => 10 * rank + i);
    comm.alltoall(IN_PLACE, held);
    equal(
      held,
      ranks.map((i) => 10 * i + rank),
      "in place",
    );
    const got = new Int32Array(6 * size).fill(-1);
    const one = ranks.map(() => 1);
    comm.alltoallv(
      { buffer: gapped(size, (i) => 100 * rank + i), datatype: GAPS, counts: one },
      { buffer: got, datatype: GAPS, counts: one },
    );
    equal(
      got,
      gapped(size, (i) => 100 * Math.floor(i / 3) + 3 * rank + (i % 3)),
    );
    const typed = new Int32Array(6 * size).fill(-1);
    comm.alltoallw(
      {
        buffer: numbers(3 * size, 100 * rank),
        datatypes: ranks.map(() => contiguous(3, int)),
        counts: one,
        displacementsBytes: ranks.map((i) => 12 * i),
      },
      { buffer: typed, datatypes: ranks.map(() => GAPS), counts: one, displacementsBytes: ranks.map((i) => 24 * i) },
    );
    equal(typed, got, "alltoallw");
  });

  check(`reduce and allreduce, ${form}`, () => {
    const sums = new Float64Array(3);
    comm.reduce(Float64Array.of(1, rank, -rank), rank === 0 ? sums : undefined, { op: "sum" }, 0);
    const total = (size * (size - 1)) / 2;
    if (rank === 0) equal(sums, [size, total, -total]);
    const most = gapped(1, (i) => i + rank);
    const into = gapped(1, () => 0);
    comm.allreduce(elements(most, 1), elements(into, 1), { op: "max" });
    equal(
      into,
      gapped(1, (i) => i + size - 1),
      "scattered elements",
    );
    const held = Int32Array.of(rank, 1);
    comm.allreduce(IN_PLACE, held);
    equal(held, [total, size], "in place");
    const pair = new DataView(new ArrayBuffer(16));
    pair.setFloat64(0, rank === size - 1 ? 9 : rank, true);
    pair.setInt32(8, rank, true);
    const found = new DataView(new ArrayBuffer(16));
    const datatype = predefined("MPI_DOUBLE_INT");
    comm.allreduce({ buffer: pair, datatype, count: 1 }, { buffer: found, datatype, count: 1 }, { op: "maxloc" });
    equal([found.getFloat64(0, true), found.getInt32(8, true)], [9, size - 1]);
    matches(
      thrown(() => comm.allreduce(held, held, { op: "avg" })),
      /^op of a reduction: expected one of MPI's, such as sum, got "avg"$/,
    );
  });

  check(`neighbour collectives, ${form}`, () => {
    const ring = comm.createCart([size], { periods: [true] });
    const [before, next] = [(rank + size - 1) % size, (rank + 1) % size];
    const both = new Int32Array(2);
    ring.neighborAllgather(Int32Array.of(rank), both);
    equal(both, [before, next]);
    const parts = new Int32Array(12).fill(-1);
    const layout = { datatype: GAPS, counts: [1, 1] };
    ring.neighborAllgatherv(numbers(3, rank), { buffer: parts, ...layout });
    equal(
      parts,
      gapped(2, (i) => [before, next][Math.floor(i / 3)] + (i % 3)),
    );
    ring.neighborAlltoall(Int32Array.of(10 * rank, 10 * rank + 1), both);
    // What the rank before sent to its next, and the next one to its rank before.
    equal(both, size === 1 ? both : size === 2 ? both : [10 * before + 1, 10 * next]);
    ring.neighborAlltoallv({ buffer: gapped(2, (i) => 10 * rank + i), ...layout }, { buffer: parts, ...layout });
    if (size > 2)
      equal(
        parts,
        gapped(2, (i) => (i < 3 ? 10 * before + 3 + i : 10 * next + i - 3)),
      );
    const typed = new Int32Array(12).fill(-1);
    const w = { counts: [1, 1], displacementsBytes: [0, 24] };
    ring.neighborAlltoallw(
      { buffer: gapped(2, (i) => 10 * rank + i), datatypes: [GAPS, GAPS], ...w },
      { buffer: typed, datatypes: [GAPS, GAPS], ...w },
    );
    equal(typed, parts, "neighborAlltoallw");
    ring.free();
    const graph = comm.createDistGraph(rank === 0 ? ranks : [], [0]);
    const all = new Int32Array(rank === 0 ? size : 0);
    graph.neighborAllgather(Int32Array.of(rank + 5), all);
    equal(all, rank === 0 ? ranks.map((i) => i + 5) : []);
    graph.free();
  });
}

await checkAsync("collectives that begin, by promises", async () => {
  const sum = new Int32Array(1);
  const all = new Int32Array(6 * size).fill(-1);
  const parts = { buffer: all, datatype: GAPS, counts: ranks.map(() => 1) };
  const [reduced, gathered, met] = [
    world.iallreduce(Int32Array.of(rank), sum),
    world.iallgatherv(numbers(3, rank), parts),
    world.ibarrier(),
  ];
  await Promise.all([met.finished(), gathered.finished(), reduced.finished()]);
  equal(sum[0], (size * (size - 1)) / 2);
  equal(
    all,
    gapped(size, (i) => Math.floor(i / 3) + (i % 3)),
  );
  const message = rank === 0 ? numbers(4, 9) : new Int32Array(4);
  await world.ibcast(message).finished();
  equal(message, numbers(4, 9));
});

blocking.free();
if (size > 1) {
  check("a collective that others do not join reaches its time limit", () => {
    const apart = world.dup();
    if (rank === 0) {
      apart.settings = { timeoutMs: 20 };
      matches(
        thrown(() => apart.barrier()),
        /^barrier: expected an end within 20 ms, got none$/,
      );
    }
    world.barrier();
    apart.settings = {};
    // What was given up is under way still: it ends once the others join.
    if (rank !== 0) apart.ibarrier().wait();
  });
}
check("no datatype of these checks is left over", () => equal(mpi.typeOf(GAPS).isAlive, true));

check("an exchange with peers: each message of a datatype of its own, blocking and begun", () => {
  const comm = world.dup();
  const from = gapped(1, (i) => 100 * rank + i);
  for (const how of ["blocking", "begun"]) {
    const [into, none] = [numbers(3).fill(-1), new Map()];
    const out = new Map([[(rank + 1) % size, elements(from, 1)]]);
    const inward = new Map([[(rank + size - 1) % size, into]]);
    if (how === "blocking") comm.alltoallPeers(out, inward);
    else equal(comm.ialltoallPeers(out, inward).wait().sizeBytes > 0, true);
    equal(into, numbers(3, 100 * ((rank + size - 1) % size)), how);
    // Only ranks 0 and its next have anything to say this time.
    const [first, second] = [new Map([[1 % size, Int32Array.of(rank)]]), new Map([[0, into.subarray(0, 1)]])];
    comm.alltoallPeers(rank === 0 ? first : none, rank === 1 % size ? second : none);
    if (rank === 1 % size) equal(into[0], 0);
  }
  matches(
    thrown(() => comm.alltoallPeers(new Map(), new Map([[rank, new Int32Array(1)]]), { timeoutMs: 20 })),
    /^exchange with 0 and 1 peers: expected an end within 20 ms, got none$/,
  );
  matches(
    thrown(() => comm.alltoallPeers({}, new Map())),
    /^messages sent: expected a map of ranks to messages, got /,
  );
  world.barrier();
  comm.free();
});

const plainly = world.dup();
plainly.settings = {};

check("vector exchanges between views, again and again", () => {
  const [zeros, byte] = [ranks.map(() => 0), "MPI_BYTE"];
  const [out, into] = [new Int32Array(3 * size), new Int32Array(3 * size)];
  for (let turn = 0; turn < 4; turn++) {
    out.set(ranks.flatMap((to) => [100 * turn + 10 * rank + to, -1, -2]));
    const sent = {
      buffer: out,
      datatype: "MPI_INT32_T",
      counts: ranks.map(() => 1),
      displacements: ranks.map((i) => 3 * i),
    };
    const received = { buffer: into.fill(0), datatype: "MPI_INT32_T", counts: sent.counts };
    plainly.alltoallv(sent, received);
    equal(
      into.subarray(0, size),
      ranks.map((from) => 100 * turn + 10 * from + rank),
      "counted by extents",
    );
    // Other types at the same places, turn by turn.
    const name = turn % 2 === 0 ? "MPI_INT32_T" : byte;
    const count = turn % 2 === 0 ? 1 : 4;
    const typed = (buffer, step) => ({
      buffer,
      datatypes: ranks.map(() => name),
      counts: ranks.map(() => count),
      displacementsBytes: ranks.map((i) => step * i),
    });
    plainly.alltoallw(typed(out, 12), typed(into.fill(0), 4));
    equal(
      into.subarray(0, size),
      ranks.map((from) => 100 * turn + 10 * from + rank),
      name,
    );
    const nothing = { buffer: into, datatype: byte, counts: zeros };
    plainly.alltoallv(nothing, nothing);
  }
});

check("vector exchanges that cannot be are refused alike in each form", () => {
  const view = new Int32Array(size);
  const ones = ranks.map(() => 1);
  const right = { buffer: view, datatype: "MPI_INT32_T", counts: ones };
  const wrong = [
    { ...right, counts: ones.slice(1) },
    { ...right, counts: ranks.map(() => -1) },
    { ...right, counts: ranks.map(() => 0.5) },
    { ...right, counts: ranks.map(() => "1") },
    { ...right, counts: ranks.map(() => 2) },
    { ...right, displacements: ranks.map(() => size) },
    { ...right, displacements: ranks.map(() => -1) },
    { ...right, displacements: ranks.map(() => 0.5) },
    { ...right, displacements: [] },
    { ...right, datatype: undefined },
    { ...right, buffer: undefined },
    undefined,
  ];
  for (const parts of wrong) {
    const [first, second] = [plainly, world].map((comm) => thrown(() => comm.alltoallv(right, parts)));
    equal(first.message, second.message);
    equal(first.name.endsWith("Error") && first.name !== "TypeError", true, first.name);
  }
  const lost = new Int32Array(size);
  const parts = { ...right, buffer: lost };
  plainly.alltoallv(parts, right);
  structuredClone(lost, { transfer: [lost.buffer] });
  matches(
    thrown(() => plainly.alltoallv(parts, right)),
    /^host memory: expected .+ got a detached one$/,
  );
  world.barrier();
});
plainly.free();
