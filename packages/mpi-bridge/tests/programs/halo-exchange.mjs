// Halo exchanges of arrays of odd and unequal parts, on the host and on a simulated device: each ghost must be what its
// owner holds, by a serial account of the whole array.
import { context, counted, driver } from "./own-gpus.mjs";
import { copyBytes } from "@stowage/cuda-driver";
import { contiguous, predefined } from "@stowage/ir";
import { haloExchange } from "@stowage/mpi-bridge";
import { createEngine } from "@stowage/selector";
import { check, checkFault, equal, matches, rank, report, size, thrown, world } from "./checks.mjs";

const engine = createEngine({ cuda: () => driver });
/** Whose launches can be counted; the choice may fall on copies. */
const byKernels = createEngine({ cuda: () => driver, backend: "cuda-strided" });

let cases = 0;
const CARRIAGES = ["persistent", "ipc", "nccl", "alltoallv"];
const OUTSIDE = -7;

/** Exchanges phase by phase, on ranks that begin at other times. */
function inPhases(plan) {
  for (const end = performance.now() + 3 * rank; performance.now() < end;);
  plan.pack();
  plan.exchange();
  plan.unpack();
}

/** Points of each part along a dimension: no two beside each other are equal. */
const lengthsOf = (parts, most) => Array.from({ length: parts }, (_, i) => most - (i % 2) * 2);
const sum = (list) => list.reduce((total, each) => total + each, 0);

/** A case: the grid, each part's points, and the value at every global point. */
function caseOf(grid, most, radius, periodic, fields) {
  const lengths = grid.map((parts) => lengthsOf(parts, most));
  const place = grid.map((parts, k) => Math.floor(rank / sum2(grid.slice(k + 1))) % parts);
  const inner = place.map((at, k) => lengths[k][at]);
  const origin = place.map((at, k) => sum(lengths[k].slice(0, at)));
  const whole = lengths.map(sum);
  const sizes = inner.map((length, k) => length + 2 * radius[k]);
  const valueAt = (point, field) => point.reduce((value, at) => value * 101 + at, 1) * 10 + field;
  /** What a local point must hold: before the exchange ghosts are OUTSIDE. */
  const image = (exchanged) => {
    const values = new Float64Array(sizes.reduce((a, b) => a * b, 1) * fields);
    for (let i = 0; i < values.length; i++) {
      let [left, ghost, away] = [Math.floor(i / fields), false, false];
      const point = [];
      for (let k = sizes.length - 1; k >= 0; k--) {
        const local = (left % sizes[k]) - radius[k];
        left = Math.floor(left / sizes[k]);
        if (local < 0 || local >= inner[k]) ghost = true;
        const global = origin[k] + local;
        if (global < 0 || global >= whole[k]) away ||= !periodic[k];
        point.unshift((global + whole[k]) % whole[k]);
      }
      values[i] = (ghost && !exchanged) || away ? OUTSIDE : valueAt(point, i % fields);
    }
    return values;
  };
  return { sizes, image };
}

const sum2 = (list) => list.reduce((a, b) => a * b, 1);
const double = predefined("MPI_DOUBLE");
const GRIDS = {
  1: [
    [1, 1],
    [1, 1, 1],
  ],
  2: [
    [2, 1],
    [1, 2, 1],
  ],
  4: [
    [2, 2],
    [2, 1, 2],
    [4, 1],
  ],
  8: [[2, 2, 2]],
};

for (const grid of GRIDS[size])
  for (const periodic of [grid.map(() => false), grid.map(() => true), grid.map((_, k) => k === 0)])
    for (const [radius, fields] of [
      [grid.map(() => 1), 1],
      [grid.map((_, k) => 1 + (k % 2)), 3],
    ]) {
      const { sizes, image } = caseOf(grid, 7, radius, periodic, fields);
      const element = fields === 1 ? double : contiguous(fields, double);
      const name = `${grid.join("x")}, ${periodic}, radius ${radius}, ${fields} fields`;
      const whole = { radius, periodic, grid };
      for (const exchange of ["persistent", "alltoallv", "auto"])
        check(`on the host, ${exchange}: ${name}`, () => {
          const values = image(false);
          const memory = values.slice();
          const plan = haloExchange(world, { ...whole, array: { memory, sizes, element }, engine, exchange });
          for (const run of [() => plan.run(), () => (plan.start(), plan.finish()), () => inPhases(plan)]) {
            memory.set(values);
            run();
            equal(memory, image(true), "points");
          }
          plan[Symbol.dispose]();
        });
      check(`on a device: ${name}`, () => {
        const values = image(false);
        const data = context.deviceMemory(values.byteLength);
        const stream = context.stream();
        const move = (view, toDevice) => {
          const [host, there] = [context.libcuda.addressOf(view), data.address];
          copyBytes(context, toDevice ? there : host, toDevice ? host : there, view.byteLength).run(stream);
          stream.synchronize();
        };
        const pinned = (bytes) => context.pinnedMemory(bytes);
        // Each case by another.
        const exchange = CARRIAGES[cases++ % CARRIAGES.length];
        const array = { memory: data, sizes, element };
        const plan = haloExchange(world, { ...whole, array, exchange, engine: byKernels, queue: stream, pinned });
        for (const run of [() => plan.run(), () => (plan.start(), plan.finish()), () => inPhases(plan)]) {
          move(values, true);
          world.barrier();
          const before = counted.launches;
          run();
          // What goes from array to array is one; what a rank sends itself then takes another.
          if (plan.regions > 1 && exchange !== "ipc" && counted.launches !== undefined)
            equal(counted.launches - before, 2, `launches, ${exchange}`);
          const got = new Float64Array(values.length);
          move(got, false);
          equal(got, image(true), `points, ${exchange}`);
        }
        plan[Symbol.dispose]();
        data[Symbol.dispose]();
      });
    }

check("auto takes the exchange whose carrier is predicted to take less, the same on all ranks, and says so", () => {
  const grid = GRIDS[size][0];
  const [radius, periodic] = [grid.map(() => 1), grid.map(() => true)];
  const { sizes, image } = caseOf(grid, 7, radius, periodic, 1);
  const values = image(false);
  const data = context.deviceMemory(values.byteLength);
  const [there, host] = [data.address, context.libcuda.addressOf(values)];
  copyBytes(context, there, host, values.byteLength).run(context.stream());
  context.synchronize();
  const given = { radius, periodic, grid, array: { memory: data, sizes }, engine, exchange: "auto" };
  const local = world.splitShared();
  // Without pinned memory MPI carries nothing to others; to other hosts IPC does not reach, but NCCL does, whose group
  // is one launch for however many messages there are.
  const onOneHost = size > 4 ? "(ipc|nccl)" : "ipc";
  const alone = size === 1 ? "persistent" : local.size === size ? onOneHost : "nccl";
  local.free();
  for (const pinned of [undefined, (bytes) => context.pinnedMemory(bytes)]) {
    const plan = haloExchange(world, { ...given, pinned });
    const taken = pinned === undefined ? alone : `(${alone}|persistent)`;
    matches({ message: plan.explain() }, new RegExp(`; ${taken}: the least predicted time$`));
    plan.run();
    const got = new Float64Array(values.length);
    copyBytes(context, context.libcuda.addressOf(got), there, got.byteLength).run(context.stream());
    context.synchronize();
    equal(got, image(true), "points");
    plan[Symbol.dispose]();
  }
  data[Symbol.dispose]();
});

const plain = { array: { memory: new Float64Array(25), sizes: [5, 5] }, radius: 1, engine };

check("every rank is told where one's options are wrong", () => {
  const error = thrown(() => haloExchange(world, rank === size - 1 ? { ...plain, radius: -1 } : plain));
  matches(
    error,
    rank === size - 1
      ? /^halo exchange: radius: expected an integer/
      : /options that every rank can use, got none of rank/,
  );
});

check("an exchange is one of those that there are", () => {
  matches(
    thrown(() => haloExchange(world, { ...plain, exchange: "tcp" })),
    /^halo exchange: exchange: expected one of persistent, alltoallv, ipc, nccl, auto, got "tcp"$/,
  );
});

check("every rank is told where one's memory is too short", () => {
  const short = { ...plain, periodic: [true, true], array: { memory: new Float64Array(20), sizes: [5, 5] } };
  const error = thrown(() => haloExchange(world, rank === 0 ? short : { ...plain, periodic: [true, true] }));
  matches(error, rank === 0 ? /expected bytes within/ : /every rank to bind its part, got an error on rank 0$/);
  if (size !== 2) return;
  const array = { memory: context.deviceMemory(rank === 0 ? 160 : 200), sizes: [5, 5] };
  const byNccl = thrown(() => haloExchange(world, { ...plain, periodic: [true, true], array, exchange: "nccl" }));
  matches(byNccl, rank === 0 ? /expected bytes within/ : /every rank to bind its part, got an error on rank 0$/);
});

if (size > 1) {
  check("every rank is told where two disagree", () => {
    matches(
      thrown(() => haloExchange(world, rank === 1 ? { ...plain, radius: 0 } : plain)),
      /^halo exchange: radius: expected 1 x 1 x 0 on every rank, as on rank 0, got 0 x 0 x 0 on rank 1$/,
    );
    matches(
      thrown(() => haloExchange(world, rank === 1 ? { ...plain, exchange: "alltoallv" } : plain)),
      /^halo exchange: exchange: expected persistent on every rank, as on rank 0, got alltoallv on rank 1$/,
    );
    const grid = [size, 1];
    const wide = { ...plain, grid, array: { memory: new Float64Array(30), sizes: [5, 6] } };
    matches(
      thrown(() => haloExchange(world, rank === 1 ? wide : { ...plain, grid })),
      /^halo exchange: points along dimension 1: expected 5 on rank 1, as on rank 0 beside it, got 6$/,
    );
  });
}

check("a device's array needs pinned memory for its regions", () => {
  const memory = context.deviceMemory(200);
  matches(
    thrown(() => haloExchange(world, { ...plain, array: { memory, sizes: [5, 5] } })),
    /^halo exchange: pinned: expected a function/,
  );
});

checkFault("an array of the host goes by no way between GPUs, and one that a rank cannot share is told to all", () => {
  matches(
    thrown(() => haloExchange(world, { ...plain, exchange: "ipc" })),
    /^halo exchange: memory: expected a GPU's, for exchange ipc, got host memory$/,
  );
  if (size !== 2) return;
  const memory = context.deviceMemory(200);
  counted.fault = (call) => (rank === 0 && call === "cuIpcGetMemHandle" ? 1 : undefined);
  const error = thrown(() => haloExchange(world, { ...plain, array: { memory, sizes: [5, 5] }, exchange: "ipc" }));
  counted.fault = undefined;
  matches(error, rank === 1 ? /^halo exchange: array: expected one that rank 0 can share, got cuIpcGetMem/ : /rank 1$/);
});

checkFault("a GPU that fails in an exchange is told to its neighbours", () => {
  if (size !== 2) return;
  const memory = context.deviceMemory(200);
  const plan = haloExchange(world, { ...plain, array: { memory, sizes: [5, 5] }, exchange: "ipc" });
  counted.fault = (call) => (rank === 0 && call === "cuLaunchKernelEx" ? 2 : undefined);
  const error = thrown(() => plan.run());
  counted.fault = undefined;
  plan.run();
  plan[Symbol.dispose]();
  matches(
    error,
    rank === 0 ? /OUT_OF_MEMORY/ : /^halo exchange: expected the elements of rank 0, got an error of its GPU$/,
  );
});

for (const each of [engine, byKernels]) each[Symbol.dispose]();
report();
