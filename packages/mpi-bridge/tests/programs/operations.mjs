// The result of a reduction depends on its arguments alone: every operation on every basic type, by each route and in
// each size, is what a plain loop makes.
import { BridgeError } from "@stowage/mpi-bridge";
import { predefined, vector } from "@stowage/ir";
import { check, equal, matches, mpi, rank, report, size, thrown, world } from "./checks.mjs";

/** By the sort of their elements: views of them, and MPI's names. */
const TYPES = [
  [Int8Array, "integer", ["MPI_INT8_T", "MPI_SIGNED_CHAR"]],
  [Uint8Array, "integer", ["MPI_UINT8_T", "MPI_UNSIGNED_CHAR"]],
  [Int16Array, "integer", ["MPI_INT16_T", "MPI_SHORT"]],
  [Uint16Array, "integer", ["MPI_UINT16_T", "MPI_UNSIGNED_SHORT"]],
  [Int32Array, "integer", ["MPI_INT32_T", "MPI_INT"]],
  [Uint32Array, "integer", ["MPI_UINT32_T", "MPI_UNSIGNED"]],
  [BigInt64Array, "integer", ["MPI_INT64_T", "MPI_LONG", "MPI_LONG_LONG_INT"]],
  [BigUint64Array, "integer", ["MPI_UINT64_T", "MPI_UNSIGNED_LONG", "MPI_UNSIGNED_LONG_LONG"]],
  [BigInt64Array, "address", ["MPI_AINT", "MPI_COUNT", "MPI_OFFSET"]],
  [Float32Array, "real", ["MPI_FLOAT"]],
  [Float64Array, "real", ["MPI_DOUBLE"]],
  [Float32Array, "complex", ["MPI_C_COMPLEX", "MPI_CXX_FLOAT_COMPLEX"]],
  [Float64Array, "complex", ["MPI_C_DOUBLE_COMPLEX", "MPI_CXX_DOUBLE_COMPLEX"]],
  [Uint8Array, "logical", ["MPI_C_BOOL", "MPI_CXX_BOOL"]],
  [Uint8Array, "byte", ["MPI_BYTE"]],
];

/** MPI 4.1, section 6.9.2: which sorts an operation takes, and what it makes of two values. */
const truth = (a, value) => (typeof a === "bigint" ? BigInt(value) : Number(value));
const OPERATIONS = {
  max: [["integer", "address", "real"], (a, b) => (a > b ? a : b)],
  min: [["integer", "address", "real"], (a, b) => (a < b ? a : b)],
  sum: [["integer", "address", "real", "complex"], (a, b) => a + b],
  prod: [
    ["integer", "address", "real", "complex"],
    (a, b) => (Number.isInteger(a) && wraps(a * b) ? Math.imul(a, b) : a * b),
  ],
  land: [["integer", "logical"], (a, b) => truth(a, Boolean(a) && Boolean(b))],
  lor: [["integer", "logical"], (a, b) => truth(a, Boolean(a) || Boolean(b))],
  lxor: [["integer", "logical"], (a, b) => truth(a, Boolean(a) !== Boolean(b))],
  band: [["integer", "address", "byte"], (a, b) => a & b],
  bor: [["integer", "address", "byte"], (a, b) => a | b],
  bxor: [["integer", "address", "byte"], (a, b) => a ^ b],
};
const wraps = (product) => Math.abs(product) > Number.MAX_SAFE_INTEGER;

const ranks = Array.from({ length: size }, (_, i) => i);
/** Bits that every size of integer has edges among. */
const EDGES = [0, 1, 2, 7, 127, 128, 255, 30_000, 32_767, 32_768, 65_535, 0x7fffffff, 0x80000000, 0xffffffff];

/**
 * Elements of a rank; floating-point ones are whole numbers, so that sums and products do not depend on their order.
 */
function input(Values, sort, count, of) {
  const values = new Values(sort === "complex" ? 2 * count : count);
  for (let i = 0; i < values.length; i++) {
    const edge = EDGES[(i * (2 * of + 3) + of) % EDGES.length];
    if (sort === "logical") values[i] = (i >> of) & 1;
    else if (sort === "real" || sort === "complex") values[i] = ((i + of) % 7) - 3;
    else if (Values === BigInt64Array || Values === BigUint64Array) values[i] = (BigInt(edge) << 32n) | BigInt(edge);
    else values[i] = edge;
  }
  return values;
}

/** Combines all ranks' elements, one after another. A typed array cuts off what its elements do not hold. */
function combined(Values, sort, count, op, from = ranks) {
  const total = input(Values, sort, count, from[0]);
  for (const of of from.slice(1)) {
    const next = input(Values, sort, count, of);
    if (sort === "complex" && op === "prod") {
      for (let i = 0; i < next.length; i += 2) {
        const [a, b, c, d] = [total[i], total[i + 1], next[i], next[i + 1]];
        [total[i], total[i + 1]] = [a * c - b * d, a * d + b * c];
      }
    } else for (let i = 0; i < next.length; i++) total[i] = OPERATIONS[op][1](total[i], next[i]);
  }
  return total;
}

function same(got, expected, what) {
  const at = got.findIndex((value, i) => value !== expected[i]);
  equal([at, got[at]], [at < 0 ? at : -1, expected[at]], what);
}

const comms = {
  packed: world.dup(),
  arriving: world.dup({ reductions: "arriving" }),
  auto: world.dup({ reductions: "auto" }),
};
for (const comm of Object.values(comms)) comm.settings = { hints: world.settings.hints };
/** Around vectors of 64 bytes, and past the segments of the route that combines on arrival. */
const SOME = 65;
const COUNTS = [1, SOME, 1500];

for (const [Values, sort, names] of TYPES)
  for (const [op, [sorts]] of Object.entries(OPERATIONS)) {
    if (!sorts.includes(sort)) continue;
    check(`${op} of ${names.join(", ")} by every route in every size`, () => {
      const calls = (comm, count, datatype) => {
        const own = input(Values, sort, count, rank);
        const into = new Values(own.length);
        const elements = (buffer) => ({ buffer, datatype, count });
        return { into, reduce: (name, ...rest) => comm[name](elements(own), elements(into), { op }, ...rest) };
      };
      const expected = (count, from) => combined(Values, sort, count, op, from);
      for (const count of COUNTS) {
        const { into, reduce } = calls(comms.packed, count, names[0]);
        reduce("allreduce");
        same(into, expected(count), `allreduce of ${count} elements`);
      }
      for (const [datatype, route] of [...names.slice(1).map((name) => [name, "packed"]), [names[0], "arriving"]]) {
        const { into, reduce } = calls(comms[route], SOME, datatype);
        reduce("allreduce");
        same(into, expected(SOME), `allreduce of ${datatype}, ${route}`);
      }
      const { into, reduce } = calls(comms.packed, SOME, names[0]);
      reduce("iscan").wait();
      same(into, expected(SOME, ranks.slice(0, rank + 1)), "scan");
      reduce("reduce", size - 1);
      if (rank === size - 1) same(into, expected(SOME), "reduce");
    });
  }

const TILE = 4096;
function repeated(values, count) {
  const all = new values.constructor(count);
  for (let at = 0; at < count; at += TILE) all.set(values, at);
  return all;
}

/** Where the route changes by size; each of these is wrong in one of the MPIs. */
for (const [Values, name, op] of [
  [Int16Array, "MPI_INT16_T", "sum"],
  [Uint32Array, "MPI_UINT32_T", "max"],
])
  check(`${op} of ${name} on both sides of the size at which the route changes`, () => {
    for (const bytes of [2 ** 20, 8 * 2 ** 20]) {
      const count = bytes / Values.BYTES_PER_ELEMENT;
      const own = repeated(input(Values, "integer", TILE, rank), count);
      const into = new Values(count);
      comms.auto.allreduce(own, into, { op });
      same(into, repeated(combined(Values, "integer", TILE, op), count), `${bytes} bytes`);
      equal(comms.auto.planReduction(own, { op }).route, size > 1 && bytes >= 2 ** 23 ? "arriving" : "packed");
    }
  });

check("scattered elements, and accumulates between fences, are the same", () => {
  const count = 300;
  for (const [Values, name, op] of [
    [Int16Array, "MPI_INT16_T", "sum"],
    [Uint16Array, "MPI_UINT16_T", "max"],
  ]) {
    const own = input(Values, "integer", count, rank);
    const spread = new Values(2 * count);
    own.forEach((value, i) => (spread[2 * i] = value));
    const datatype = vector(count, 1, 2, predefined(name));
    const into = new Values(2 * count);
    comms.packed.allreduce({ buffer: spread, datatype, count: 1 }, { buffer: into, datatype, count: 1 }, { op });
    const expected = combined(Values, "integer", count, op);
    same(
      into.filter((_, i) => i % 2 === 0),
      expected,
      `scattered ${name}`,
    );
    for (const route of ["auto", "packed"]) {
      const held = new Values(count);
      const window = mpi.createWindow(world, held, { unitBytes: Values.BYTES_PER_ELEMENT, route });
      window.fence();
      window.accumulate(own, (rank + 1) % size, {}, { op });
      window.fence({ last: true });
      same(held, input(Values, "integer", count, (rank + size - 1) % size), `first, ${route}`);
      window.fence();
      window.accumulate(own, rank, {}, { op });
      window.fence({ last: true });
      same(held, combined(Values, "integer", count, op, [(rank + size - 1) % size, rank]), `both, ${route}`);
      window.free();
    }
  }
});

check("pairs that have padding are accumulated packed as by the MPI", () => {
  const pairs = (value, at) => {
    const view = new DataView(new ArrayBuffer(48));
    for (let i = 0; i < 3; i++) {
      view.setFloat64(16 * i, value + i, true);
      view.setInt32(16 * i + 8, at, true);
    }
    return new Uint8Array(view.buffer);
  };
  const held = pairs(5, 1);
  const window = mpi.createWindow(world, held, { carrier: "packed" });
  window.fence();
  window.accumulate(
    { buffer: pairs(6, 2), datatype: "MPI_DOUBLE_INT", count: 3 },
    (rank + 1) % size,
    {},
    { op: "maxloc" },
  );
  window.fence({ last: true });
  same(held, pairs(6, 2));
  window.free();
});

check("a plan says where an operation of ours goes; ranks that are others' programs may have the MPI's", () => {
  const own = comms.packed.dup();
  const wrong = mpi.mpi.family === "mpich" ? [Uint8Array.of(1), { op: "max" }] : [Int32Array.of(1), { op: "sum" }];
  const elements = mpi.mpi.family === "mpich" ? { buffer: wrong[0], datatype: "MPI_UINT8_T" } : wrong[0];
  const told = own.planReduction(elements, wrong[1]).reason;
  if (mpi.mpi.name === "mpich-4.0.2")
    matches({ message: told }, /; by an operation of ours, for mpich-4\.0\.2's own max is wrong$/);
  own.settings = { operations: "mpi" };
  equal(/of ours/.test(own.planReduction(elements, wrong[1]).reason), false);
  const error = thrown(() => (own.settings = { operations: "theirs" }));
  matches(error, /^settings of a communicator: operations: expected one of right, mpi, got "theirs"$/);
  equal(error instanceof BridgeError, true);
  own.free();
});

for (const comm of Object.values(comms)) comm.free();
world.barrier();
report();
