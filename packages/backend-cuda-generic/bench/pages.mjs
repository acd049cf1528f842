// Pages of a pool to pages of another, by tables on the device: node pages.mjs OUT.json [--peers=pages-peers.so]
// [--simulated]. Random pages of pools of 4 GiB, 16 to 120,000 of them, 1 GiB at most; each contender's bytes are
// compared before it is timed; wall time of one call with its wait, contenders taking turns.
import { writeFileSync } from "node:fs";
import { conditions, copyMove, hostMemory, tabledMove } from "@stowage/backend-api";
import { CudaGenericBackend } from "@stowage/backend-cuda-generic";
import { DmaBackend } from "@stowage/backend-dma";
import { commitHash, scriptCommand } from "@stowage/bench";
import { copyBytes, openCuda, openSimulatedCuda } from "@stowage/cuda-driver";
import { canonicalise, denseLayout, hindexedBlock, lower, predefined } from "@stowage/ir";
import { createRequire } from "node:module";
import { timeInTurns } from "./turns.mjs";

const [out = "pages.json"] = process.argv.slice(2);
const simulated = process.argv.includes("--simulated");
const peersPath = process.argv.find((each) => each.startsWith("--peers="))?.slice("--peers=".length);
const driver = simulated ? openSimulatedCuda() : openCuda();
const context = driver.context();
const stream = context.stream();
const POOL_BYTES = simulated ? 2 ** 20 : 2 ** 32;
const MOST_BYTES = simulated ? 2 ** 18 : 2 ** 30;
const CHUNK_BYTES = Math.min(POOL_BYTES, 2 ** 26);
const PAGE_BYTES = simulated ? [48, 512] : [128, 512, 656, 1152, 2048, 8192, 65_536];
const TOTAL_BYTES = simulated ? [2 ** 14] : [2 ** 16, 2 ** 20, 2 ** 24, 2 ** 26, 2 ** 28, 2 ** 30];
const FEWEST_PAGES = 16;
const MOST_PAGES = 120_000;

let state = 0x2545f491;
const random = (below) => {
  state = Math.imul(state ^ (state >>> 15), 0x85ebca6b) + 0x6d2b79f5;
  return ((state ^ (state >>> 13)) >>> 0) % below;
};

/** A pool's bytes: a chunk of random ones, from another place in each of the pool's chunks. */
const noise = new Uint8Array(CHUNK_BYTES + 8192 * 64);
for (let i = 0; i < noise.length; i += 4) new DataView(noise.buffer).setUint32(i, Math.imul(i + 1, 0x9e3779b1), true);
const chunkOf = (chunk) => noise.subarray(chunk * 4099, chunk * 4099 + CHUNK_BYTES);
const send = (address, bytes) => {
  copyBytes(context, address, context.libcuda.addressOf(bytes), bytes.byteLength).run(stream);
  stream.synchronize();
};
const source = context.deviceMemory(POOL_BYTES);
const target = context.deviceMemory(POOL_BYTES);
for (let chunk = 0; chunk * CHUNK_BYTES < POOL_BYTES; chunk++)
  send(source.address + chunk * CHUNK_BYTES, chunkOf(chunk));
const expected = (page, pageBytes) => {
  const at = page * pageBytes;
  const [chunk, within] = [Math.floor(at / CHUNK_BYTES), at % CHUNK_BYTES];
  const first = chunkOf(chunk).subarray(within, within + pageBytes);
  if (first.length === pageBytes) return first;
  return Buffer.concat([first, chunkOf(chunk + 1).subarray(0, pageBytes - first.length)]);
};

/** Distinct pages in a random order. */
function pagesOf(count, pageBytes) {
  const most = Math.floor(POOL_BYTES / pageBytes);
  const seen = new Set();
  while (seen.size < count) seen.add(random(most));
  return Uint32Array.from(seen);
}

const library =
  peersPath === undefined
    ? undefined
    : createRequire(import.meta.resolve("@stowage/cuda-driver"))("koffi").load(peersPath);
const peerWarp = library?.func("int peer_warp(uint64_t, uint64_t, uint64_t, uint64_t, uint32_t, uint32_t, uint64_t)");
const peerCub = library?.func(
  "int peer_cub(uint64_t, uint64_t, uint64_t, uint64_t, uint32_t, uint32_t, uint64_t, _Inout_ uint64_t *, uint64_t)",
);
const must = (status) => {
  if (status !== 0) throw new Error(`peer: expected status 0, got ${status}`);
};

function contendersOf({ count, pageBytes, from, to, fromTable, toTable }) {
  const held = [];
  const hold = (resource) => (held.push(resource), resource);
  const generic = hold(new CudaGenericBackend({ driver }));
  const dma = hold(new DmaBackend(() => driver));
  const page = denseLayout(pageBytes);
  const tables = { source: { index: "u32", strideBytes: pageBytes }, target: { index: "u32", strideBytes: pageBytes } };
  const at = (memory) => ({ memory, originBytes: 0 });
  const bytes = count * pageBytes;
  const planned = (backend, move, known, binding) => {
    const kernel = hold(
      backend.load(backend.compile([move], conditions({ sourceKind: "device", targetKind: "device", ...known }))),
    );
    const plan = hold(kernel.bind([{ source: at(source), target: at(target), ...binding }]));
    return () => plan.run(stream).wait();
  };
  const range = { count, first: 0, length: bytes };
  const move = tabledMove(copyMove(page, page), tables);
  const listed = (pages) =>
    canonicalise(
      lower(
        hindexedBlock(
          pageBytes,
          Array.from(pages, (each) => each * pageBytes),
          predefined("MPI_BYTE"),
        ),
      ),
    );
  const contenders = {
    tables: planned(
      generic,
      move,
      { tableKind: "device" },
      { ...range, tables: { source: at(fromTable), target: at(toTable) } },
    ),
  };
  // A copy of its own for each page takes some 5 us: more of them say nothing new.
  if (count <= 1024) {
    const onHost = { source: at(hostMemory(from)), target: at(hostMemory(to)) };
    contenders.dma = planned(dma, move, {}, { ...range, tables: onHost });
  }
  // As before tables: each list of pages is a datatype of its own, committed before it is timed.
  if (count <= 20_000)
    contenders.hindexed = planned(
      generic,
      copyMove(listed(from), listed(to)),
      {},
      { count: 1, first: 0, length: bytes },
    );
  if (peerWarp !== undefined && pageBytes % 16 === 0) {
    contenders["a warp a page"] = () => {
      must(
        peerWarp(source.address, fromTable.address, target.address, toTable.address, count, pageBytes, stream.handle),
      );
      stream.synchronize();
    };
    const roomBytes = [0n];
    must(
      peerCub(
        source.address,
        fromTable.address,
        target.address,
        toTable.address,
        count,
        pageBytes,
        0,
        roomBytes,
        stream.handle,
      ),
    );
    const room = hold(context.deviceMemory(Number(roomBytes[0])));
    contenders["CUB Batched"] = () => {
      must(
        peerCub(
          source.address,
          fromTable.address,
          target.address,
          toTable.address,
          count,
          pageBytes,
          room.address,
          roomBytes,
          stream.handle,
        ),
      );
      stream.synchronize();
    };
  }
  return { contenders, dispose: () => held.reverse().forEach((each) => each[Symbol.dispose]()) };
}

const back = new Uint8Array(CHUNK_BYTES + 65_536);
function verify(name, { pageBytes, from, to }) {
  // Target pages in the order of their places, a chunk of the pool at a time.
  const order = Array.from(to.keys()).sort((a, b) => to[a] - to[b]);
  let loaded = -1;
  for (const k of order) {
    const address = to[k] * pageBytes;
    const chunk = Math.floor(address / CHUNK_BYTES);
    if (chunk !== loaded) {
      const length = Math.min(back.length, POOL_BYTES - chunk * CHUNK_BYTES);
      copyBytes(context, context.libcuda.addressOf(back), target.address + chunk * CHUNK_BYTES, length).run(stream);
      stream.synchronize();
      loaded = chunk;
    }
    const within = address - chunk * CHUNK_BYTES;
    if (Buffer.compare(back.subarray(within, within + pageBytes), expected(from[k], pageBytes)) !== 0)
      throw new Error(`${name}: page ${k} of ${pageBytes} bytes: wrong bytes`);
  }
}

const rows = [];
const machine = { gpu: context.device.name, driver: driver.version, node: process.version };
/** After each cell: what was measured is kept, whatever ends the run. */
function write() {
  const head = { schema: "stowage-results/1", command: scriptCommand(), date: new Date().toISOString() };
  writeFileSync(out, `${JSON.stringify({ ...head, commit: commitHash(), machine, rows }, null, 1)}\n`);
}

for (const pageBytes of PAGE_BYTES) {
  for (const total of TOTAL_BYTES) {
    const count = Math.min(MOST_PAGES, Math.floor(total / pageBytes));
    if (count < FEWEST_PAGES || count * pageBytes < total / 2 || total > MOST_BYTES) continue;
    const [from, to] = [pagesOf(count, pageBytes), pagesOf(count, pageBytes)];
    const [fromTable, toTable] = [from, to].map((pages) => {
      const memory = context.deviceMemory(pages.byteLength);
      send(memory.address, new Uint8Array(pages.buffer));
      return memory;
    });
    const cell = { count, pageBytes, from, to, fromTable, toTable };
    const { contenders, dispose } = contendersOf(cell);
    for (const [name, run] of Object.entries(contenders)) {
      target.fill(0xee, stream);
      stream.synchronize();
      run();
      verify(name, cell);
    }
    const copy = copyBytes(context, target.address, source.address, count * pageBytes);
    const calls = { ...contenders, copy: () => (copy.run(stream), stream.synchronize()) };
    timeInTurns(Object.values(calls), count * pageBytes).forEach((times, i) => {
      const contender = Object.keys(calls)[i];
      rows.push({
        workload: `pages/${pageBytes}`,
        count,
        packedBytes: count * pageBytes,
        direction: "copy",
        route: "device",
        contender,
        ...times,
        verified: true,
      });
    });
    const last = rows.slice(-Object.keys(calls).length);
    console.log(
      `${count} x ${pageBytes} B: ${last.map(({ contender, medianNs }) => `${contender} ${(medianNs / 1000).toFixed(1)}`).join(", ")} us`,
    );
    write();
    dispose();
    for (const memory of [fromTable, toTable]) memory[Symbol.dispose]();
  }
}
