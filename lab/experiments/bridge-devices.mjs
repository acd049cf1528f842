import { Gpu } from "@stowage/bench/device";
import { grouped } from "@stowage/bench";
import { copy2D, openCuda, openSimulatedCuda, sharedPages } from "@stowage/cuda-driver";
import {
  canonicalise,
  contiguous,
  hvector,
  indexed,
  indexedBlock,
  lower,
  predefined,
  struct,
  subarray,
  vector,
} from "@stowage/ir";
import { openMpi } from "@stowage/mpi-bridge";
import { openNccl, openSimulatedNccl } from "@stowage/nccl";
import { createEngine } from "@stowage/selector";
import { requireTwo } from "../dist/applications/world.js";
import { timesText } from "../dist/times-text.js";
import { bytesOn } from "../parts/device-bytes.mjs";
import { SIMULATED } from "../parts/device.mjs";
import { agreedCalls, inTurnsOnRanks, ranksOf, thereAndBack, timedTogether } from "../parts/ranks.mjs";

const [double, byte, int, char] = ["MPI_DOUBLE", "MPI_BYTE", "MPI_INT", "MPI_CHAR"].map(predefined);
const LARGEST_EXTENT_BYTES = 2 ** 29;
const [LEAST_SAMPLES, MOST_SAMPLES] = [5, 400];
const WARM_TURNS = 300;
const CANARY = 0xa5;
const MANY = 1_000_000;

let seed = 20_260_101;
const draw = (most) => ((seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31), seed % most);

const blocks = (bytes, pitch) => (size) => vector(Math.max(1, size / bytes), bytes / 8, pitch / 8, double);
const equal = (bytes) => (size) => {
  const places = Array.from({ length: Math.max(1, size / bytes) }, (_, i) => i * 64 + draw(48));
  return indexedBlock(bytes / 8, places, double);
};

/** The types of the peers' tables; each of about so many packed bytes. */
const TYPES = {
  contiguous: (size) => contiguous(size / 8, double),
  "vector 8 of 512": blocks(8, 512),
  "vector 32 of 512": blocks(32, 512),
  "vector 128 of 512": blocks(128, 512),
  "vector 8 of 16": blocks(8, 16),
  "vector 32 of 64": blocks(32, 64),
  "vector 128 of 256": blocks(128, 256),
  "hvector of bytes, 128 of 512": (size) => hvector(Math.max(1, size / 128), 1, 512, contiguous(128, byte)),
  "indexed 8": equal(8),
  "indexed 32": equal(32),
  "indexed 128": equal(128),
  "indexed, 1 to 16 doubles": (size) => {
    const [lengths, places] = [[], []];
    let [left, at] = [size / 8, 0];
    while (left > 0) {
      const length = Math.min(left, 1 + draw(16));
      lengths.push(length);
      places.push(at);
      at += length + 1 + draw(16);
      left -= length;
    }
    return indexed(lengths, places, double);
  },
  "struct of 24 bytes": (size) =>
    contiguous(Math.max(1, Math.floor(size / 17)), struct([1, 1, 1, 1], [0, 8, 12, 16], [double, int, int, char])),
  "4D subarray of 64^4": (size) => {
    const edge = Math.max(2, Math.min(32, Math.round((size / 8) ** 0.25)));
    const four = (value) => [value, value, value, value];
    return subarray({ sizes: four(64), subsizes: four(edge), starts: four(8), order: "C", child: double });
  },
};

function imageOf(bytes, salt) {
  const image = new Uint32Array(Math.ceil(bytes / 4));
  for (let i = 0; i < image.length; i++) image[i] = (i * 2_654_435_761 + salt) >>> 0;
  return new Uint8Array(image.buffer, 0, bytes);
}

/** NCCL's version, where messages of this communicator may go by it. */
function ncclOf({ gpu, direct, other, simulated }, lab) {
  const memory = gpu.context.deviceMemory(8);
  const { reason } = direct.plan({ buffer: memory, datatype: double, count: 1 }, other);
  memory[Symbol.dispose]();
  if (!reason.includes("not by NCCL")) return (simulated ? openSimulatedNccl(gpu.driver) : openNccl()).version;
  lab.remark(reason);
  return null;
}

/** A vector's rows by cuMemcpy2D to pinned memory and back, sent as bytes. */
function byHand({ world, gpu: { context, stream }, other, layout: { root }, from, into }) {
  if (root.kind !== "stream" || root.child.kind !== "dense") return undefined;
  const [width, height, pitch] = [root.child.lengthBytes, root.count, root.strideBytes];
  const pinned = [0, 1].map(() => context.pinnedMemory(width * height));
  const box = { widthBytes: width, rows: height };
  const there = ({ address }) => ({ address, host: false, pitchBytes: pitch });
  const here = ({ address }) => ({ address, host: true, pitchBytes: width });
  const out = copy2D(context, here(pinned[0]), there(from), box);
  const back = copy2D(context, there(into), here(pinned[1]), box);
  const run = (copy) => (copy.run(stream), stream.synchronize());
  return {
    run: thereAndBack(
      world,
      () => (run(out), world.send(pinned[0].bytes, other)),
      () => (world.recv(pinned[1].bytes, other), run(back)),
    ),
    [Symbol.dispose]: () => pinned.forEach((each) => each[Symbol.dispose]()),
  };
}

function* sizesOf({ sizes, least, most }) {
  if (sizes !== undefined) yield* sizes;
  else for (let size = least; size <= most; size *= 4) yield size;
}

/** Both ranks' devices: each rank takes one, with one GPU both share it. */
function openRanks({ simulated = false }, lab) {
  const driver = simulated ? openSimulatedCuda({ devices: 2, shared: sharedPages() }) : openCuda();
  const mpi = openMpi({ cuda: () => driver, engine: createEngine({ cuda: () => driver }) });
  const { world } = mpi;
  requireTwo("bridge-devices", world);
  const gpu = new Gpu(driver, world.rank % driver.devices.length);
  const ranks = { mpi, world, gpu, simulated, other: 1 - world.rank, direct: world.dup({ devices: "auto" }) };
  const nccl = ncclOf(ranks, lab);
  lab.note({ machine: gpu.machine, gpus: driver.devices.length, nccl });
  return { ...ranks, nccl };
}

export default {
  name: "bridge-devices",
  question: "How soon are elements in the other GPU's memory by each way, beside cuMemcpy2D and messages of bytes?",
  kind: "times",
  ranks: 2,
  options: {
    ...SIMULATED,
    least: { kind: "number", says: "packed bytes", byDefault: 1024 },
    most: { kind: "number", says: "packed bytes, in steps of four times as many", byDefault: 2 ** 26 },
    sizes: { kind: "bytes", says: "packed bytes, several, instead" },
    budget: { kind: "number", says: "milliseconds of each", byDefault: 25 },
    only: { kind: "text", says: "types whose names contain it", byDefault: "" },
    methods: { kind: "texts", says: "some of the contenders; NCCL's takes part where no two ranks share a GPU" },
  },
  trial: { simulated: true, sizes: [1024], only: "vector 32 of 512" },
  *cells(given, lab) {
    const ranks = openRanks(given, lab);
    const { mpi, world, gpu, simulated, other } = ranks;
    const done = new Set();
    for (const [workload, make] of Object.entries(TYPES)) {
      if (!workload.includes(given.only)) continue;
      for (const size of sizesOf(given)) {
        const datatype = make(size);
        const layout = canonicalise(lower(datatype));
        const bytes = layout.trueLowerBoundBytes + layout.trueExtentBytes;
        if (bytes > LARGEST_EXTENT_BYTES || (simulated && bytes > 2 ** 22)) continue;
        if (workload.startsWith("indexed") && size > 2 ** 24) continue;
        const label = { ...ranksOf(mpi), workload, packedBytes: layout.sizeBytes };
        if (done.has(JSON.stringify(label))) continue;
        const [from, into] = [gpu.context.deviceMemory(bytes), gpu.context.deviceMemory(bytes)];
        gpu.write(from, imageOf(bytes, world.rank));
        const expected = new Uint8Array(bytes).fill(CANARY);
        const { committed } = mpi.typeOf(datatype);
        const packed = new Uint8Array(layout.sizeBytes);
        committed.pack(imageOf(bytes, other), packed, { count: 1 }).wait();
        committed.unpack(packed, expected, { count: 1 }).wait();
        yield { label, ...ranks, datatype, layout, from, into, expected, isFirst: done.size === 0 };
        done.add(JSON.stringify(label));
        for (const memory of [from, into]) memory[Symbol.dispose]();
      }
    }
    gpu[Symbol.dispose]();
    mpi.finalize();
  },
  /** Each of ours holds its own type. */
  contenders(cell, { methods }) {
    const { mpi, world, direct, gpu, other, nccl, datatype, from, into, expected } = cell;
    const by = (comm, hints) => {
      const type = mpi.commit(datatype, { reuse: MANY, ...hints });
      const [out, back] = [from, into].map((buffer) => ({ buffer, datatype: type, count: 1 }));
      return {
        run: thereAndBack(
          comm,
          () => comm.send(out, other),
          () => comm.recv(back, other),
        ),
        chosen: () => comm.plan(out, other).method,
        [Symbol.dispose]: () => type[Symbol.dispose](),
      };
    };
    const named = (comm, list) => list.map((method) => [method, by(comm, { method })]);
    const all = [
      ["chosen", by(direct, {})],
      ["chosen, through the host", by(world, {})],
      ...named(world, ["one-shot", "staged", "pipelined"]),
      ...named(direct, ["ipc", "ipc-packed", ...(nccl === null ? [] : ["nccl"])]),
      ["by hand, cuMemcpy2D", byHand(cell)],
    ].filter(([name, entrant]) => entrant !== undefined && methods?.includes(name) !== false);
    const check = (name, run) => () => {
      gpu.fill(into, CANARY);
      world.barrier();
      run();
      if (Buffer.compare(bytesOn(gpu, into), expected) !== 0)
        throw new Error(`${name}: expected the other rank's elements and no other bytes, got others`);
    };
    return Object.fromEntries(all.map(([name, entrant]) => [name, { ...entrant, check: check(name, entrant.run) }]));
  },
  /** Half of a round trip. */
  run(entrants, { world, isFirst }, { budget }, { trial }) {
    const all = Object.values(entrants);
    const half = ({ run }) => {
      const start = performance.now();
      run();
      return ((performance.now() - start) / 2) * 1e6;
    };
    const turns = agreedCalls(world, budget * 1e6, Math.max(...all.map(half)));
    const samples = trial ? 1 : Math.min(MOST_SAMPLES, Math.max(LEAST_SAMPLES, turns));
    // Until V8 has compiled every path, calls take several times what they take later.
    for (let turn = 0; isFirst && !trial && turn < WARM_TURNS; turn++) for (const entrant of all) half(entrant);
    const measured = inTurnsOnRanks(entrants, { samples }, (entrant) => {
      // The first finds what the one before left in the caches, and in the tables of the link.
      timedTogether(world, entrant.run);
      return [half(entrant), half(entrant)];
    });
    const chosen = all.find((entrant) => entrant.chosen !== undefined)?.chosen();
    return Object.fromEntries(Object.entries(measured).map(([name, found]) => [name, { ...found, chosen }]));
  },
  text(rows) {
    const cells = grouped(rows, ({ workload, packedBytes }) => `${workload}, ${packedBytes} bytes`);
    const chosen = [...cells].map(([cell, [first]]) => `${cell}: chosen ${first.chosen ?? "none"}`);
    return [timesText(rows), ...chosen].join("\n");
  },
};
