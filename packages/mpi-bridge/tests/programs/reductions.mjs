// Reductions over derived types, by the MPI on packed elements and combined on arrival, against what a serial loop
// makes of all ranks' input.
import { IN_PLACE } from "@stowage/mpi-bridge";
import { contiguous, indexed, predefined, resized, vector } from "@stowage/ir";
import { check, checkAsync, equal, matches, mpi, rank, size, thrown, until, world } from "./checks.mjs";

const int = predefined("MPI_INT32_T");
/** Types of 6 ints each, and which of an element's ints they are, in packed order. */
const TYPES = {
  gaps: [resized(0, 24, vector(3, 1, 2, int)), [0, 2, 4]],
  list: [resized(0, 24, indexed([1, 2], [5, 0], int)), [5, 0, 1]],
  dense: [contiguous(6, int), [0, 1, 2, 3, 4, 5]],
};
const OPERATIONS = {
  sum: (a, b) => (a + b) | 0,
  max: (a, b) => Math.max(a, b),
  bxor: (a, b) => a ^ b,
};
/** Fails at the first int that is not the expected one, and prints that alone: lists are long. */
function same(got, expected, what) {
  const at = got.findIndex((value, i) => value !== expected[i]);
  equal([got.length, at, got[at]], [expected.length, at, expected[at]], what);
}
const ranks = Array.from({ length: size }, (_, i) => i);
const valueOf = (from, i) => Math.imul(i + 1, 2654435761 + from * 40503) >> (from % 3);

/** Elements whose packed ints are as `value` says, -1 around them. */
function elementsOf([datatype, places], count, value = () => -1) {
  const buffer = new Int32Array(6 * count).fill(-1);
  const each = places.length;
  for (let i = 0; i < each * count; i++) buffer[6 * Math.floor(i / each) + places[i % each]] = value(i);
  return { buffer, datatype, count };
}
const packedInts = ([, places], count) => places.length * count;
const combined = (op, from, i) => from.map((r) => valueOf(r, i)).reduce(OPERATIONS[op]);

/** What each reduction makes of int `i` of all ranks' input; undefined where MPI leaves the result as it was. */
const RESULTS = {
  reduce: (op, i) => (rank === size - 1 ? combined(op, ranks, i) : undefined),
  allreduce: (op, i) => combined(op, ranks, i),
  scan: (op, i) => combined(op, ranks.slice(0, rank + 1), i),
  exscan: (op, i) => (rank === 0 ? undefined : combined(op, ranks.slice(0, rank), i)),
};
const callOf = (comm, name, begun) => (name === "reduce" ? reduceTo(comm, begun) : plain(comm, name, begun));
const plain = (comm, name, begun) => (from, into, op) =>
  begun ? comm[`i${name}`](from, into, { op }).wait() : comm[name](from, into, { op });
const reduceTo = (comm, begun) => (from, into, op) => {
  const given = from === IN_PLACE && rank !== size - 1 ? into : from;
  if (begun) comm.ireduce(given, into, { op }, size - 1).wait();
  else comm.reduce(given, into, { op }, size - 1);
};

/** Elements enough for several segments of each part, and so few that some ranks have no part. */
const COUNTS = { few: 3, many: 22_000 * size };
const bare = { hints: world.settings.hints };
const comms = {
  packed: world.dup(),
  arriving: world.dup({ reductions: "arriving" }),
  auto: world.dup({ reductions: "auto" }),
  "arriving with chunks": world.dup({ reductions: "arriving", pipeline: { chunkBytes: 4096 } }),
};
for (const comm of Object.values(comms)) comm.settings = bare;

/** Few elements by all routes, types and operations; many by one, on any number of ranks in tests/long. */
const takesMany = size === 2 || process.env.STOWAGE_TEST_ELEMENTS === "many";
const CASES = Object.keys(comms).flatMap((way) => [
  ...Object.keys(TYPES).map((type, i) => [way, type, Object.keys(OPERATIONS)[i], "few"]),
  ...(way === "arriving" && takesMany ? [[way, "gaps", "sum", "many"]] : []),
]);

for (const [way, type, op, amount] of CASES) {
  const count = COUNTS[amount];
  const comm = comms[way];
  const begun = amount === "few";
  check(`${op} of ${amount} elements, ${type}, ${way}`, () => {
    const kind = TYPES[type];
    const input = () => elementsOf(kind, count, (i) => valueOf(rank, i));
    for (const [name, result] of Object.entries(RESULTS)) {
      const call = callOf(comm, name, begun);
      const into = elementsOf(kind, count);
      call(input(), into, op);
      same(into.buffer, elementsOf(kind, count, (i) => result(op, i) ?? -1).buffer, name);
      const held = input();
      call(IN_PLACE, held, op);
      same(held.buffer, elementsOf(kind, count, (i) => result(op, i) ?? valueOf(rank, i)).buffer, `${name} in place`);
    }
  });

  check(`reduce_scatter with ${op} of ${amount} elements for each, ${type}, ${way}`, () => {
    const kind = TYPES[type];
    const each = Math.ceil(count / size);
    const counts = ranks.map((i) => (amount === "few" ? (i * 2) % 3 : each - i));
    const before = counts.slice(0, rank).reduce((sum, n) => sum + n, 0);
    const total = counts.reduce((sum, n) => sum + n, 0);
    const input = (n) => elementsOf(kind, n, (i) => valueOf(rank, i));
    const expected = (n, first) => elementsOf(kind, n, (i) => combined(op, ranks, packedInts(kind, first) + i)).buffer;
    const block = elementsOf(kind, each);
    comm.reduceScatterBlock(input(each * size), block, { op });
    same(block.buffer, expected(each, each * rank), "block");
    const held = input(each * size);
    comm.ireduceScatterBlock(IN_PLACE, held, { op }).wait();
    same(held.buffer.subarray(0, 6 * each), expected(each, each * rank), "block in place");
    const part = elementsOf(kind, counts[rank]);
    comm.ireduceScatter(input(total), part, counts, { op }).wait();
    same(part.buffer, expected(counts[rank], before), "by counts");
    const own = input(total);
    comm.reduceScatter(IN_PLACE, own, counts, { op: `MPI_${op.toUpperCase()}` }); // as MPI names it
    same(own.buffer.subarray(0, 6 * counts[rank]), expected(counts[rank], before), "by counts, in place");
  });
}

check("sums of doubles that round have the same bits on all ranks, and each time", () => {
  const double = predefined("MPI_DOUBLE");
  const datatype = resized(0, 16, contiguous(1, double));
  const count = 5000;
  const input = Float64Array.from(
    { length: 2 * count },
    (_, i) => Math.sin(i * 7 + rank * 13) * 10 ** ((i + rank) % 9),
  );
  const bits = [0, 1].map(() => {
    const into = new Float64Array(2 * count);
    comms.arriving.allreduce({ buffer: input, datatype, count }, { buffer: into, datatype, count });
    return new BigInt64Array(into.buffer);
  });
  equal(bits[0], bits[1], "twice");
  const first = bits[0].slice();
  world.bcast(first, 0);
  equal(bits[0], first, "all ranks");
});

await checkAsync("reductions that begin go on together, and by promises", async () => {
  const comm = comms.arriving;
  const kind = TYPES.gaps;
  const input = elementsOf(kind, 40, (i) => valueOf(rank, i));
  const [all, prefix] = [elementsOf(kind, 40), elementsOf(kind, 40)];
  const reduced = comm.iallreduce(input, all);
  await Promise.all([comm.iscan(input, prefix).finished(), reduced.finished()]);
  same(all.buffer, elementsOf(kind, 40, (i) => RESULTS.allreduce("sum", i)).buffer);
  same(prefix.buffer, elementsOf(kind, 40, (i) => RESULTS.scan("sum", i)).buffer);
});

check("a plan says how a reduction goes, and why", () => {
  const planOf = (way, count, op) => comms[way].planReduction(elementsOf(TYPES.gaps, count), { op });
  const { route, reason } = planOf("packed", 3);
  equal(route, "packed");
  matches({ message: reason }, /^its communicator is shared with any MPI program/);
  if (size === 1) return equal(planOf("arriving", 3).reason, "one rank has nothing to combine");
  equal(planOf("arriving", 3), {
    carrier: "arriving",
    route: "arriving",
    reason: "asked for by { reductions } of dup",
  });
  equal(planOf("auto", 3).carrier, "packed");
  equal(planOf("auto", 1e6).route, "arriving");
  matches({ message: planOf("auto", 1e6).reason }, /^12000000 bytes are 8388608 or more$/);
  const pair = { buffer: new Uint8Array(16), datatype: predefined("MPI_DOUBLE_INT"), count: 1 };
  equal(comms.arriving.planReduction(pair, { op: "maxloc" }).reason, "no unpack combines such elements");
});

check("reductions that cannot be are refused in a line, and nothing is sent", () => {
  const comm = comms.arriving;
  const given = elementsOf(TYPES.gaps, 2 * size);
  const [small, mixed] = [new Int32Array(1), new Float32Array(6 * size)];
  const refused = [
    [() => comm.allreduce(given, small), /^result of allreduce: expected \d+ bytes, as what is sent says, got 4$/],
    [
      () => comm.allreduce(given, mixed),
      /^result of allreduce: expected elements of the basic type that is sent, got /,
    ],
    [
      () => comm.scan(given, undefined),
      /^buffers of scan: expected one to send and one to receive into, got undefined$/,
    ],
    [() => comm.reduceScatter(given, small, [1.5]), /^counts of reduce_scatter: expected \d integers of 0 or more/],
    [
      () =>
        comm.reduceScatter(
          given,
          small,
          ranks.map(() => 9),
        ),
      /^buffer of reduce_scatter: expected \d+ bytes, as its/,
    ],
    [
      () => comm.exscan(given, given, { op: "avg" }),
      /^op of a reduction: expected one of MPI's, such as sum, got "avg"$/,
    ],
  ];
  for (const [work, pattern] of refused) matches(thrown(work), pattern);
  if (size > 1)
    matches(
      thrown(() => comm.reduceScatterBlock(new Int32Array(size + 1), small)),
      /^buffer of reduce_scatter_block: expected elements for \d ranks, as many for each, got \d$/,
    );
  matches(
    thrown(() => world.dup({ reductions: "sometimes" })),
    /reductions.*: expected one of packed, arriving, auto, got "sometimes"$/,
  );
});

if (size > 1) {
  await checkAsync("ranks that disagree about reductions, or about their elements, get one line", async () => {
    matches(
      thrown(() => world.dup({ reductions: rank === 0 ? "auto" : "arriving" })),
      /^options of dup: expected the same on all ranks, \{ .*reductions: auto \} of rank 0, got \{ .*arriving \} of rank 1$/,
    );
    const comm = world.dup({ reductions: "arriving" });
    comm.settings = { timeoutMs: 20_000 };
    const input = new Int32Array(rank === 0 ? 2048 : 1024);
    matches(
      thrown(() => comm.allreduce(input, input.slice())),
      /allreduce: expected \d+ bytes of rank|MPI_ERR_TRUNCATE|truncat/i,
    );
    // What was given up is over once timers have their turn.
    await until(() => mpi.underWay === 0);
    equal(mpi.underWay, 0, "requests under way");
    world.barrier();
    comm.free();
  });
}
for (const comm of Object.values(comms)) comm.free();
