// From one GPU's memory to the other's by each method in turns, half of a round trip, every byte compared first; beside
// packing by hand with cuMemcpy2D. Ranks use the GPUs in turns; with one GPU both ranks do.
// mpirun -n 2 node packages/mpi-bridge/bench/devices.mjs OUT.json [--simulated] [--least BYTES] [--most BYTES]
// [--budget MS] [--only TYPE] [--sizes BYTES,...] [--methods CONTENDER,...]. NCCL takes part where it is and no two
// ranks share a GPU.
import { copy2D, copyBytes, openCuda, openSimulatedCuda } from "@stowage/cuda-driver";
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
import { heading, scriptCommand } from "@stowage/bench";
import { openMpi } from "@stowage/mpi-bridge";
import { openNccl, openSimulatedNccl } from "@stowage/nccl";
import { createEngine } from "@stowage/selector";
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    simulated: { type: "boolean", default: false },
    least: { type: "string", default: "1024" },
    most: { type: "string", default: String(2 ** 26) },
    budget: { type: "string", default: "25" },
    only: { type: "string", default: "" },
    methods: { type: "string", default: "" },
    sizes: { type: "string", default: "" },
  },
});
const simulated = async () => {
  const { sharedPages } = await import("../tests/programs/shared-pages.mjs");
  return openSimulatedCuda({ devices: 2, shared: sharedPages() });
};
const driver = options.simulated ? await simulated() : openCuda();
const mpi = openMpi({ cuda: () => driver, engine: createEngine({ cuda: () => driver }) });
const { world } = mpi;
const { rank } = world;
const other = rank ^ 1;
const ordinal = rank % driver.devices.length;
const context = driver.context(ordinal);
const stream = context.stream();
const [double, byte] = [predefined("MPI_DOUBLE"), predefined("MPI_BYTE")];
const LARGEST_EXTENT_BYTES = 2 ** 29;
const LEAST_SAMPLES = 5;
const MOST_SAMPLES = 400;
const WARM_TURNS = 300;
const CANARY = 0xa5;

let seed = 20_260_101;
const draw = (most) => ((seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31), seed % most);

const blocks = (bytes, pitch) => (size) => vector(Math.max(1, size / bytes), bytes / 8, pitch / 8, double);
const equal = (bytes) => (size) => {
  const count = Math.max(1, size / bytes);
  return indexedBlock(
    bytes / 8,
    Array.from({ length: count }, (_, i) => i * 64 + draw(48)),
    double,
  );
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
    contiguous(
      Math.max(1, Math.floor(size / 17)),
      struct(
        [1, 1, 1, 1],
        [0, 8, 12, 16],
        [double, predefined("MPI_INT"), predefined("MPI_INT"), predefined("MPI_CHAR")],
      ),
    ),
  "4D subarray of 64^4": (size) => {
    const edge = Math.max(2, Math.min(32, Math.round((size / 8) ** 0.25)));
    const four = (value) => [value, value, value, value];
    return subarray({ sizes: four(64), subsizes: four(edge), starts: four(8), order: "C", child: double });
  },
};

const copy = (target, source, bytes) => {
  copyBytes(context, target, source, bytes).run(stream);
  stream.synchronize();
};
const upload = (bytes, memory) => copy(memory.address, context.libcuda.addressOf(bytes), bytes.byteLength);
const download = (memory, bytes) => copy(context.libcuda.addressOf(bytes), memory.address, bytes.byteLength);
const imageOf = (bytes, salt) => {
  const image = new Uint32Array(Math.ceil(bytes / 4));
  for (let i = 0; i < image.length; i++) image[i] = (i * 2_654_435_761 + salt) >>> 0;
  return new Uint8Array(image.buffer, 0, bytes);
};

const METHODS = ["one-shot", "staged", "pipelined"];
const direct = world.dup({ devices: "auto" });
const { nccl, why } = ncclOf(direct);
if (rank === 0) console.log(nccl === null ? why : `NCCL ${nccl}`);
const DIRECT_METHODS = ["ipc", "ipc-packed", ...(nccl === null ? [] : ["nccl"])];

/** Its version, where messages of this communicator may go by it, or why not. */
function ncclOf(comm) {
  const memory = context.deviceMemory(8);
  const { reason } = comm.plan({ buffer: memory, datatype: double, count: 1 }, other);
  memory[Symbol.dispose]();
  if (reason.includes("not by NCCL")) return { nccl: null, why: reason };
  return { nccl: (options.simulated ? openSimulatedNccl(driver) : openNccl()).version };
}

const asked = options.methods === "" ? undefined : options.methods.split(",");

/** What sends elements and receives them; each holds its own type. */
function contendersOf(datatype, layout, from, into) {
  const elements = (type) => (buffer) => ({ buffer, datatype: type, count: 1 });
  const by = (name, comm, hints) => {
    const type = mpi.commit(datatype, { reuse: 1_000_000, ...hints });
    const [out, back] = [elements(type)(from), elements(type)(into)];
    return {
      name,
      send: () => comm.send(out, other),
      recv: () => comm.recv(back, other),
      plan: () => comm.plan(out, other),
      end: () => type[Symbol.dispose](),
    };
  };
  const all = [
    by("chosen", direct, {}),
    by("chosen, through the host", world, {}),
    ...METHODS.map((method) => by(method, world, { method })),
    ...DIRECT_METHODS.map((method) => by(method, direct, { method })),
  ];
  const hand = byHand(layout, from, into);
  return [...all, ...(hand === undefined ? [] : [hand])].filter(
    ({ name }) => asked === undefined || asked.includes(name),
  );
}

/** A vector's rows by cuMemcpy2D to pinned memory and back, sent as bytes. */
function byHand({ root }, from, into) {
  if (root.kind !== "stream" || root.child.kind !== "dense") return undefined;
  const [width, height, pitch] = [root.child.lengthBytes, root.count, root.strideBytes];
  const pinned = [0, 1].map(() => context.pinnedMemory(width * height));
  const box = { widthBytes: width, rows: height };
  const there = ({ address }) => ({ address, host: false, pitchBytes: pitch });
  const here = ({ address }) => ({ address, host: true, pitchBytes: width });
  const out = copy2D(context, here(pinned[0]), there(from), box);
  const back = copy2D(context, there(into), here(pinned[1]), box);
  return {
    name: "by hand, cuMemcpy2D",
    send() {
      out.run(stream);
      stream.synchronize();
      world.send(pinned[0].bytes, other);
    },
    recv() {
      world.recv(pinned[1].bytes, other);
      back.run(stream);
      stream.synchronize();
    },
    end: () => pinned.forEach((each) => each[Symbol.dispose]()),
  };
}

function roundTrip({ send, recv }) {
  const start = performance.now();
  if (rank === 0) {
    send();
    recv();
  } else {
    recv();
    send();
  }
  return ((performance.now() - start) / 2) * 1e6;
}

const rows = [];

function sizes() {
  if (options.sizes !== "") return options.sizes.split(",").map(Number);
  const [least, most] = [Number(options.least), Number(options.most)];
  return Array.from({ length: 1 + Math.floor(Math.log2(most / least) / 2) }, (_, i) => least * 4 ** i);
}

function write() {
  if (rank !== 0 || positionals[0] === undefined) return;
  const { name, totalBytes } = driver.devices[0];
  const gpu = `${driver.devices.length} x ${name}, ${Math.round(totalBytes / 2 ** 30)} GiB`;
  const [major, minor] = [Math.floor(driver.version / 1000), (driver.version % 1000) / 10];
  const head = heading(
    `mpirun -n 2 ${scriptCommand()}`,
    driver.simulated ? undefined : { gpu, driver: `CUDA ${major}.${minor}` },
  );
  const beside = { schema: "stowage-devices/1", gpus: driver.devices.length, mpi: mpi.mpi.name, nccl };
  writeFileSync(positionals[0], `${JSON.stringify({ ...head, ...beside, rows }, undefined, 1)}\n`);
}

for (const [type, make] of Object.entries(TYPES)) {
  if (options.only !== "" && !type.includes(options.only)) continue;
  for (const size of sizes()) {
    const datatype = make(size);
    const layout = canonicalise(lower(datatype));
    const bytes = layout.trueLowerBoundBytes + layout.trueExtentBytes;
    if (bytes > LARGEST_EXTENT_BYTES || (options.simulated && bytes > 2 ** 22)) continue;
    if (rows.some((row) => row.type === type && row.bytes === layout.sizeBytes)) continue;
    if (type.startsWith("indexed") && size > 2 ** 24) continue;
    const [from, into] = [context.deviceMemory(bytes), context.deviceMemory(bytes)];
    const theirs = imageOf(bytes, other);
    upload(imageOf(bytes, rank), from);
    const expected = new Uint8Array(bytes).fill(CANARY);
    const committed = mpi.typeOf(datatype).committed;
    const packed = new Uint8Array(layout.sizeBytes);
    committed.pack(theirs, packed, { count: 1 }).wait();
    committed.unpack(packed, expected, { count: 1 }).wait();
    const contenders = contendersOf(datatype, layout, from, into);
    const times = new Map(contenders.map(({ name }) => [name, []]));
    const got = new Uint8Array(bytes);
    for (const contender of contenders) {
      into.fill(CANARY, stream);
      stream.synchronize();
      world.barrier();
      roundTrip(contender);
      download(into, got);
      if (Buffer.compare(got, expected) !== 0)
        throw new Error(`${type}, ${size} bytes, ${contender.name}: wrong bytes`);
    }
    const once = Math.max(...contenders.map(roundTrip));
    const agreed = Float64Array.of(once);
    world.bcast(agreed, 0);
    const turns = Math.round(
      Math.min(MOST_SAMPLES, Math.max(LEAST_SAMPLES, (Number(options.budget) * 1e6) / agreed[0])),
    );
    // Until V8 has compiled every path, calls take several times what they take later.
    for (let turn = 0; rows.length === 0 && turn < WARM_TURNS; turn++) for (const each of contenders) roundTrip(each);
    for (let turn = 0; turn < turns; turn++)
      for (let i = 0; i < contenders.length; i++) {
        // Each comes first as often: what follows a barrier finds the processor elsewhere.
        const contender = contenders[(turn + i) % contenders.length];
        world.barrier();
        // The first finds what the one before left in the caches, and in the tables of the link.
        roundTrip(contender);
        for (let run = 0; run < 2; run++) times.get(contender.name).push(roundTrip(contender));
      }
    const medians = [...times].map(([contender, list]) => {
      const sorted = list.sort((a, b) => a - b);
      return { contender, medianNs: sorted[sorted.length >> 1], minNs: sorted[0], runs: sorted.length };
    });
    const chosen = contenders.find(({ plan }) => plan !== undefined)?.plan();
    rows.push(
      ...medians.map((each) => ({ type, bytes: layout.sizeBytes, verified: true, chosen: chosen?.method, ...each })),
    );
    const text = medians.map(({ contender, medianNs }) => `${contender} ${(medianNs / 1000).toFixed(1)}`).join(", ");
    if (rank === 0) console.log(`${type}, ${layout.sizeBytes} B, us one way: ${text}; chosen: ${chosen?.method}`);
    for (const { end } of contenders) end();
    for (const memory of [from, into]) memory[Symbol.dispose]();
  }
  write();
}
mpi.finalize();
