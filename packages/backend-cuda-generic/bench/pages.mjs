// Copies of pages by tables on the device, beside what else moves them: node pages.mjs OUT.json
// [--peers=pages-peers.so, which build-pages-peers.sh makes] [--python=python3] [--pool-gib=4] [--simulated]
// [--only=PATTERN] [--cells=plain,layouts,odd,ordered,host,calls,wide,sharing,odd-sharing,two-widths,leaving,
// host-sharing,ends]. Random pages of pools, 16 to 120,000 of them, 1 GiB at most; each contender's bytes are compared,
// and all others', before it is timed; wall time of one call with its wait, contenders taking turns. "chosen" is the
// way that an engine's selector takes of all backends for tables of the host. cuTENSOR is no peer: no registry that the
// lab reaches has it.
import { conditions, copyMove, hostMemory, tabledMove } from "@stowage/backend-api";
import { CudaGenericBackend } from "@stowage/backend-cuda-generic";
import { DmaBackend } from "@stowage/backend-dma";
import { copyBytes, openCuda, openSimulatedCuda } from "@stowage/cuda-driver";
import { canonicalise, contiguous, forEachRun, lower, predefined } from "@stowage/ir";
import { createEngine } from "@stowage/selector";
import { PAGED_COPIES } from "@stowage/workloads";
import { must, openPeers } from "./peers-library.mjs";
import { PythonPeers } from "./python-peers.mjs";
import { ResultRows } from "./result-rows.mjs";
import { inTurns, timed } from "./turns.mjs";

const [out = "pages.json"] = process.argv.slice(2);
const option = (name) => process.argv.find((each) => each.startsWith(`--${name}=`))?.slice(name.length + 3);
const simulated = process.argv.includes("--simulated");
const wanted = new Set((option("cells") ?? "plain,layouts,host,calls").split(","));
const driver = simulated ? openSimulatedCuda() : openCuda();
const context = driver.context();
const stream = context.stream();
const GIB = 2 ** 30;
const POOL_BYTES = simulated ? 2 ** 20 : Number(option("pool-gib") ?? 4) * GIB;
const HOST_BYTES = simulated ? 2 ** 20 : GIB;
const MOST_BYTES = simulated ? 2 ** 17 : GIB;
const TOTALS = simulated ? [2 ** 14, 2 ** 16] : [2 ** 16, 2 ** 20, 2 ** 24, 2 ** 26, 2 ** 28, 2 ** 30];
const [FEWEST_PAGES, MOST_PAGES] = [16, 120_000];
const MOST_BATCHED = 1024; // of copies one by one: more of them say nothing new
const ERASED = 0xee;

let state = 0x2545f491;
const random = (below) => {
  state = Math.imul(state ^ (state >>> 15), 0x85ebca6b) + 0x6d2b79f5;
  return ((state ^ (state >>> 13)) >>> 0) % below;
};

const peer = option("peers") === undefined ? undefined : openPeers(option("peers"));
const mdspans = peer?.mdspan("int", "int", 4);

function send(address, view) {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  copyBytes(context, address, context.libcuda.addressOf(bytes), bytes.byteLength).run(stream);
  stream.synchronize();
}
function fetched(address, length) {
  const bytes = new Uint8Array(length);
  copyBytes(context, context.libcuda.addressOf(bytes), address, length).run(stream);
  stream.synchronize();
  return bytes;
}
function onDevice(view) {
  const memory = context.deviceMemory(Math.max(16, view.byteLength));
  send(memory.address, view);
  return memory;
}

/** One memory of each kind to copy from, and to: pools are slices of them. */
const memories = {
  device: { source: context.deviceMemory(POOL_BYTES), target: context.deviceMemory(POOL_BYTES) },
};
const hostMemories = () =>
  (memories.pinned ??= { source: context.pinnedMemory(HOST_BYTES), target: context.pinnedMemory(HOST_BYTES) });
const noisy = new Set();
function withNoise(memory) {
  if (noisy.has(memory)) return memory;
  noisy.add(memory);
  if (peer !== undefined) must(peer.noise(memory.address, memory.sizeBytes, stream.handle), "noise");
  else
    send(
      memory.address,
      Uint32Array.from({ length: memory.sizeBytes / 4 }, (_, i) => Math.imul(i + 1, 0x9e3779b1)),
    );
  stream.synchronize();
  return memory;
}
function erase(memory) {
  if (memory.kind === "device") memory.fill(ERASED, stream);
  else memory.bytes.fill(ERASED);
  stream.synchronize();
}

/** Where the pools of a side lie in its memory, a slice each. */
function poolsOf(groups, side, memory) {
  const slices = groups.reduce((sum, group) => sum + (group[side].isShared ? 1 : group[side].firstBytes.length), 0);
  const sliceBytes = Math.floor(memory.sizeBytes / slices / 4096) * 4096;
  let slice = 0;
  return groups.flatMap((group, g) => {
    const { firstBytes, strideBytes, isShared, entries } = group[side];
    const first = slice;
    slice += isShared ? 1 : firstBytes.length;
    return firstBytes.map((at, i) => {
      const originBytes = (first + (isShared ? 0 : i)) * sliceBytes + at;
      return { group: g, originBytes, sliceBytes: sliceBytes - at, strideBytes, entries };
    });
  });
}
const buffer = (memory, { originBytes, sliceBytes }) => ({
  kind: memory.kind,
  sizeBytes: sliceBytes,
  address: memory.address + originBytes,
  ...(memory.kind === "device" ? { device: memory.device } : {}),
});

/** Distinct entries in a random order. */
function entriesOf(count, pools, layouts) {
  const pages = Math.min(
    ...pools.map(({ sliceBytes, strideBytes, entries, group }) => {
      const reach = layouts[group].trueExtentBytes;
      const slots = Math.floor((sliceBytes - reach) / strideBytes) + 1;
      return Math.floor(slots / entries.of) * entries.used;
    }),
  );
  if (pages < count) return undefined;
  const seen = new Set();
  while (seen.size < count) seen.add(random(pages));
  const { used, of } = pools[0].entries;
  return Uint32Array.from(seen, (page) => Math.floor(page / used) * of + (page % used));
}

/** Runs of a page that move, in packed order, each within one run of either side. */
function runsOf(source, target) {
  const listed = (layout) => {
    const runs = [];
    const range = { count: 1, first: 0, length: layout.sizeBytes };
    forEachRun(layout, range, (offset, length) => runs.push([offset, length]));
    return runs;
  };
  const [a, b, runs] = [listed(source), listed(target), []];
  for (let [i, j, usedA, usedB] = [0, 0, 0, 0]; i < a.length && j < b.length;) {
    const bytes = Math.min(a[i][1] - usedA, b[j][1] - usedB);
    runs.push({ source: a[i][0] + usedA, target: b[j][0] + usedB, bytes });
    [usedA, usedB] = [usedA + bytes, usedB + bytes];
    if (usedA === a[i][1]) [i, usedA] = [i + 1, 0];
    if (usedB === b[j][1]) [j, usedB] = [j + 1, 0];
  }
  return runs;
}

const identity = (count) => Uint32Array.from({ length: count }, (_, k) => k);
const layoutOf = (type) => canonicalise(lower(type));

/** All that contenders of one cell share; undefined where the pools hold too few pages. */
function cellOf({ name, groups, placed, isOrdered = false }, total, kinds) {
  const sides = groups.map(({ page }) => ({ source: layoutOf(page.source), target: layoutOf(page.target) }));
  const memory = {
    source: (kinds.source === "pinned" ? hostMemories() : memories.device).source,
    target: (kinds.target === "pinned" ? hostMemories() : memories.device).target,
  };
  const pools = {
    source: poolsOf(groups, "source", memory.source),
    target: poolsOf(groups, "target", memory.target),
  };
  const pageBytes = pools.source.reduce((sum, { group }) => sum + sides[group].source.sizeBytes, 0);
  const count = Math.min(MOST_PAGES, Math.floor(total / pageBytes));
  if (count < FEWEST_PAGES || count * pageBytes < total / 2 || total > MOST_BYTES) return undefined;
  const [from, to] = ["source", "target"].map((side) =>
    !isOrdered && (placed === "both" || placed === side)
      ? entriesOf(
          count,
          pools[side],
          sides.map((each) => each[side]),
        )
      : identity(count),
  );
  if (from === undefined || to === undefined) return undefined;
  const runs = sides.map(({ source, target }) => runsOf(source, target));
  return {
    ...{ name, groups, placed, isOrdered, sides, memory, pools, pageBytes, count, from, to, runs },
    bytes: count * pageBytes,
  };
}

/** What an engine of all backends takes for a cell's pools, with tables of the host. */
function chosenWay(engine, cell) {
  const { groups, memory, pools, count, from, to } = cell;
  const side = (name, g) => ({
    bases: pools[name].filter(({ group }) => group === g).map((pool) => buffer(memory[name], pool)),
    strideBytes: groups[g][name].strideBytes,
  });
  const pages = engine.commitPages({
    groups: groups.map(({ page }, g) => ({ page, source: side("source", g), target: side("target", g) })),
    index: "u32",
    mostPages: count,
  });
  return { name: pages.choice.chosen.name, plan: pages.bind({ sourcePages: from, targetPages: to }) };
}

/** Moves of a cell and what binds them, with tables where `kind` says. */
function boundMoves(cell, index, kind) {
  const { groups, sides, memory, pools, placed, count, from, to } = cell;
  const listed = (pages) => (index === "u32" ? pages : BigInt64Array.from(pages, BigInt));
  const span = (pages) => ({
    memory: kind === "host" ? hostMemory(listed(pages)) : onDevice(listed(pages)),
    originBytes: 0,
  });
  const tables = {
    ...(placed === "target" ? {} : { source: span(from) }),
    ...(placed === "source" ? {} : { target: span(to) }),
  };
  const moves = pools.source.map(({ group }) => {
    const table = (side) => ({ [side]: { index, strideBytes: groups[group][side].strideBytes } });
    return tabledMove(copyMove(sides[group].source, sides[group].target), {
      ...(placed === "target" ? {} : table("source")),
      ...(placed === "source" ? {} : table("target")),
    });
  });
  const bindings = pools.source.map((pool, i) => ({
    source: { memory: buffer(memory.source, pool), originBytes: 0 },
    target: { memory: buffer(memory.target, pools.target[i]), originBytes: 0 },
    count,
    first: 0,
    length: count * sides[pool.group].source.sizeBytes,
    tables,
  }));
  return { moves, bindings, held: kind === "host" ? [] : Object.values(tables).map((each) => each.memory) };
}

/** A plan of ours, and what it is made of. */
function planned(cell, backend, index = "u32", tableKind = "device") {
  const { moves, bindings, held } = boundMoves(cell, index, tableKind);
  const { source, target } = cell.memory;
  const known = conditions({ sourceKind: source.kind, targetKind: target.kind, tableKind });
  const kernel = backend.load(backend.compile(moves, known));
  const plan = kernel.bind(bindings);
  return { plan, bindings, held: [...held, backend, kernel, plan] };
}

/**
 * Pages of layouts as mdspans of pages, heads or tokens, and 64 words of 4 bytes: lengths, and strides of either side.
 */
const MDSPANS = {
  "pages/tokens-to-heads": { lengths: [0, 8, 16, 64], source: [8192, 64, 512, 1], target: [8192, 1024, 64, 1] },
  "pages/heads-4-of-8": { lengths: [0, 16, 4, 64], source: [8192, 512, 64, 1], target: [4096, 256, 64, 1] },
  "pages/heads-1-of-8": { lengths: [0, 16, 1, 64], source: [8192, 512, 64, 1], target: [1024, 64, 64, 1] },
};

/** Contenders by name: what sends a call, what is held for it, and whether Python times it. */
function contendersOf(cell, python, tunings) {
  const { memory, pools, count, from, to, pageBytes, runs, groups, placed } = cell;
  const held = [];
  const hold = (...resources) => held.push(...resources);
  const contenders = {};
  const ours = (name, backend, ...rest) => {
    const made = planned(cell, backend, ...rest);
    hold(...made.held);
    contenders[name] = () => made.plan.run(stream).wait();
  };
  for (const [name, tuning] of Object.entries(tunings)) ours(name, new CudaGenericBackend({ driver, tuning }));
  const copies = count * runs.flat().length * (pools.source.length / groups.length);
  if (tunings.tables !== undefined && copies <= MOST_BATCHED) ours("dma", new DmaBackend(() => driver), "u32", "host");
  if (tunings.tables !== undefined && placed === "both") {
    const engine = createEngine({ cuda: () => driver });
    const { name, plan } = chosenWay(engine, cell);
    hold(engine, plan);
    contenders[`chosen: ${name}`] = () => plan.run(stream).wait();
  }
  if (tunings.tables !== undefined && cell.name === "pages/2048")
    ours("tables i64", new CudaGenericBackend({ driver }), "i64");
  const [fromTable, toTable] = [onDevice(from), onDevice(to)];
  hold(fromTable, toTable);
  const isPlain = groups.every(({ source, target }, g) => {
    const length = cell.sides[g].source.sizeBytes;
    return runs[g].length === 1 && source.strideBytes === length && target.strideBytes === length;
  });
  if (peer !== undefined && isPlain && tunings.tables !== undefined) {
    const each = (call) => () => {
      pools.source.forEach((pool, i) => {
        const length = cell.sides[pool.group].source.sizeBytes;
        must(
          call(memory.source.address + pool.originBytes, memory.target.address + pools.target[i].originBytes, length),
        );
      });
      stream.synchronize();
    };
    const onTables = (call) =>
      each((source, target, length) =>
        call(source, fromTable.address, target, toTable.address, count, length, stream.handle),
      );
    const lengths = groups.map((_, g) => cell.sides[g].source.sizeBytes);
    if (lengths.every((length) => length % 16 === 0)) contenders["a warp a page"] = onTables(peer.warp);
    if (lengths.every((length) => length % 8 === 0)) contenders["sgl_kernel's way"] = onTables(peer.sgl);
    if (pools.source.length === 1) {
      const [source, target] = [memory.source.address, memory.target.address];
      const roomBytes = [0n];
      const cub = (room) =>
        must(
          peer.cub(
            source,
            fromTable.address,
            target,
            toTable.address,
            count,
            pageBytes,
            room,
            roomBytes,
            stream.handle,
          ),
          "CUB",
        );
      cub(0);
      const room = context.deviceMemory(Number(roomBytes[0]));
      hold(room);
      contenders["CUB Batched"] = () => (cub(room.address), stream.synchronize());
    }
    if (copies <= MOST_BATCHED && memory.source.kind === "device" && memory.target.kind === "device") {
      const byHost = (call) =>
        each((source, target, length) => call(source, from, target, to, count, length, stream.handle));
      contenders.cuMemcpyBatchAsync = byHost(peer.batch);
      contenders.cuMemcpy3DBatchAsync = byHost(peer.batch3d);
    }
  }
  const shape = MDSPANS[cell.name];
  if (mdspans !== undefined && cell.isOrdered && shape !== undefined) {
    const [lengths, ...strides] = [shape.lengths, shape.source, shape.target].map((each) =>
      BigInt64Array.from(each, BigInt),
    );
    lengths[0] = BigInt(count);
    contenders["CCCL copy of mdspans"] = () => {
      pools.source.forEach((pool, i) =>
        must(
          mdspans(
            memory.source.address + pool.originBytes,
            memory.target.address + pools.target[i].originBytes,
            lengths,
            ...strides,
            stream.handle,
          ),
          "copy of mdspans",
        ),
      );
      stream.synchronize();
    };
  }
  const heads = cell.name === "pages/tokens-to-heads" ? { heads: [16, 8] } : {};
  const forPython =
    memory.source.kind === "device" &&
    memory.target.kind === "device" &&
    ((isPlain && pools.source.length === 1 && placed !== "target") || heads.heads !== undefined);
  const inPython =
    python !== undefined && forPython && tunings.tables !== undefined
      ? python.take({ pageBytes: cell.sides[0].source.sizeBytes, dense: placed === "source", ...heads }, from, to)
      : [];
  return { contenders, inPython, held, fromTable, toTable };
}

const wrongBytes = context.deviceMemory(16);
function verify(name, cell, { fromTable, toTable }) {
  const { memory, pools, count, from, to, runs, groups } = cell;
  if (peer === undefined) return verifyHere(name, cell);
  wrongBytes.fill(0, stream);
  const lists = runs.map((list) =>
    onDevice(BigUint64Array.from(list.flatMap((run) => [run.source, run.target, run.bytes].map(BigInt)))),
  );
  pools.source.forEach(({ group, originBytes }, i) => {
    const [source, target] = [memory.source.address + originBytes, memory.target.address + pools.target[i].originBytes];
    const [a, b] = [groups[group].source.strideBytes, groups[group].target.strideBytes];
    const list = lists[group].address;
    must(
      peer.pages(
        source,
        fromTable.address,
        a,
        target,
        toTable.address,
        b,
        count,
        list,
        runs[group].length,
        wrongBytes.address,
        stream.handle,
      ),
      "compare",
    );
  });
  must(peer.others(memory.target.address, memory.target.sizeBytes, wrongBytes.address, stream.handle), "compare");
  const wrong = new BigUint64Array(fetched(wrongBytes.address, 8).buffer)[0];
  for (const list of lists) list[Symbol.dispose]();
  if (wrong !== 0n) throw new Error(`${name} of ${cell.name}, ${count} pages: ${wrong} wrong bytes`);
}

/** Compares in this process, where there is no device to compare on. */
function verifyHere(name, { memory, pools, from, to, runs, groups, name: workload }) {
  const [source, target] = [memory.source, memory.target].map(({ address, sizeBytes }) => fetched(address, sizeBytes));
  const expected = new Uint8Array(target.length).fill(ERASED);
  pools.source.forEach(({ group, originBytes }, i) => {
    from.forEach((page, k) => {
      for (const run of runs[group]) {
        const read = originBytes + page * groups[group].source.strideBytes + run.source;
        const written = pools.target[i].originBytes + to[k] * groups[group].target.strideBytes + run.target;
        expected.set(source.subarray(read, read + run.bytes), written);
      }
    });
  });
  if (Buffer.compare(expected, target) !== 0) throw new Error(`${name} of ${workload}: wrong bytes`);
}

const DEVICE = { source: "device", target: "device" };
const rows = new ResultRows(out, driver, context);
const turnsFor = (bytes) => (simulated ? 1 : bytes >= 2 ** 24 ? 8 : 24);

const OURS = { tables: {} };

function run(copy, totals, kinds, python, tunings = OURS) {
  withNoise((kinds.source === "pinned" ? hostMemories() : memories.device).source);
  for (const total of totals) {
    const cell = cellOf(copy, total, kinds);
    if (cell === undefined) continue;
    const made = contendersOf(cell, python, tunings);
    for (const [name, call] of Object.entries(made.contenders)) {
      erase(cell.memory.target);
      call();
      stream.synchronize();
      verify(name, cell, made);
    }
    const { source, target } = cell.memory;
    const plain = copyBytes(context, target.address, source.address, cell.bytes);
    const calls = { ...made.contenders, copy: () => (plain.run(stream), stream.synchronize()) };
    const blocks = {
      ...Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, timed(call)])),
      ...Object.fromEntries(made.inPython.map((name) => [name, (repeats) => python.time(name, repeats)])),
    };
    const route =
      kinds.source === "device" && kinds.target === "device" ? "device" : `${kinds.source} to ${kinds.target}`;
    const title = cell.isOrdered ? `${cell.name}, in order` : cell.name;
    rows.note(title, cell.count, cell.bytes, route, inTurns(blocks, turnsFor(cell.bytes)));
    for (const each of made.held.reverse()) each[Symbol.dispose]();
  }
}

/**
 * Time of the calling thread alone: a run of pages that are bound, and binding other tables first, as programs call
 * them; nothing waits.
 */
function callTimes(copy) {
  const cell = cellOf(copy, Math.min(2 ** 23, MOST_BYTES), DEVICE);
  if (cell === undefined) return;
  const { groups, memory, pools, from, to } = cell;
  const [group] = groups;
  const side = (name) => ({
    bases: pools[name].map((pool) => buffer(memory[name], pool)),
    strideBytes: group[name].strideBytes,
  });
  const engine = createEngine({ cuda: () => driver });
  const committed = engine.commitPages({
    groups: [{ page: group.page, source: side("source"), target: side("target") }],
    index: "u32",
    tableMemory: "device",
  });
  const tables = [0, 1].map(() => ({ sourcePages: onDevice(from), targetPages: onDevice(to) }));
  const plan = committed.bind(tables[0]);
  let turns = 0;
  const calls = {
    "run alone": () => plan.run(stream),
    "other tables, then run": () => (plan.rebind(tables[turns++ % 2]), plan.run(stream)),
  };
  const samples = Object.fromEntries(Object.keys(calls).map((name) => [name, []]));
  for (let turn = simulated ? 0 : -50; turn < (simulated ? 3 : 200); turn++)
    for (const [name, call] of Object.entries(calls)) {
      const times = timed(call)(8).slice(1);
      if (turn >= 0) samples[name].push(...times);
      stream.synchronize();
    }
  rows.note(`call of ${copy.name} x ${pools.source.length} pools`, cell.count, cell.bytes, "device", samples);
  for (const each of [...tables.flatMap(Object.values), plan, engine]) each[Symbol.dispose]();
}

/**
 * What of a short call its end is: the completion that a run gives, or its stream; ours, the launch without its event,
 * and a warp a page.
 */
function endTimes(copy, total) {
  const cell = cellOf(copy, total, DEVICE);
  if (cell === undefined || peer === undefined) return;
  const { memory, pools, count, from, to, bytes } = cell;
  const { plan, held } = planned(cell, new CudaGenericBackend({ driver }));
  const [source, target] = [memory.source.address + pools.source[0].originBytes, memory.target.address];
  const tables = [onDevice(from), onDevice(to)];
  const byHand = () =>
    must(peer.warp(source, tables[0].address, target, tables[1].address, count, bytes / count, stream.handle), "warp");
  const event = context.event();
  const [launch] = plan.launches;
  const calls = {
    "run, wait": () => plan.run(stream).wait(),
    "run, stream": () => (plan.run(stream), stream.synchronize()),
    "launch, stream": () => (launch.run(stream), stream.synchronize()),
    "a warp a page, event": () => (byHand(), event.record(stream), event.synchronize()),
    "a warp a page, stream": () => (byHand(), stream.synchronize()),
  };
  const blocks = Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, timed(call)]));
  rows.note(`end of ${copy.name}`, count, bytes, "device", inTurns(blocks, simulated ? 1 : 60));
  for (const each of [...tables, event, ...held.reverse()]) each[Symbol.dispose]();
}

const python = option("python") === undefined ? undefined : new PythonPeers(option("python"), POOL_BYTES);
const isPlainCopy = ({ name }) => /^pages\/\d+$/.test(name);
const only = new RegExp(option("only") ?? "");
const copies = PAGED_COPIES.filter(({ name }) => only.test(name));
if (wanted.has("plain")) for (const copy of copies.filter(isPlainCopy)) run(copy, TOTALS, DEVICE, python);
if (wanted.has("layouts"))
  for (const copy of copies.filter((each) => !isPlainCopy(each) && each.memory === "device"))
    run(copy, simulated ? [2 ** 17] : [2 ** 20, 2 ** 24, 2 ** 26, 2 ** 28], DEVICE, python);
// Lengths that no word divides: of other libraries, CUB alone takes them.
const copyOfBytes = (pageBytes) => {
  const page = contiguous(pageBytes, predefined("MPI_BYTE"));
  const pool = { firstBytes: [0], strideBytes: pageBytes, isShared: false, entries: { used: 1, of: 1 } };
  const group = { page: { source: page, target: page }, source: pool, target: pool };
  return { name: `pages/${pageBytes}`, groups: [group], placed: "both" };
};
const ODD_COPIES = [131, 515, 1037, 4099].map(copyOfBytes);
if (wanted.has("odd"))
  for (const copy of ODD_COPIES) {
    const tunings = { ...OURS, "tables, a byte a thread": { chunks: false } };
    run(copy, TOTALS.slice(0, simulated ? 1 : 4), DEVICE, undefined, tunings);
  }
// Pages one after another: what a copy without tables does, too.
if (wanted.has("ordered"))
  for (const copy of copies.filter(({ name }) => MDSPANS[name] !== undefined))
    run(
      { ...copy, isOrdered: true, name: copy.name },
      simulated ? [2 ** 17] : [2 ** 20, 2 ** 24, 2 ** 26, 2 ** 28],
      DEVICE,
    );
if (wanted.has("host")) {
  const some = copies.filter(({ name, memory }) => memory === "host" || /\/(656|2048|8192|24576|65536)$/.test(name));
  for (const copy of some) {
    const totals = simulated ? [2 ** 14] : [2 ** 16, 2 ** 20, 2 ** 22, 2 ** 24, 2 ** 26, 2 ** 28];
    run(copy, totals, { source: "device", target: "pinned" });
    if (copy.memory === "device") run(copy, totals, { source: "pinned", target: "device" });
  }
}
// With --pool-gib: pages that lie so far apart that each is another page of the TLB.
if (wanted.has("wide"))
  for (const copy of copies.filter(({ name }) => /\/(512|2048|65536)$/.test(name)))
    run(copy, simulated ? [2 ** 14] : [2 ** 24, 2 ** 26], DEVICE);
/** Forms of a kernel by name: threads a page, words in flight each, and pages whose entries they read at once. */
const formsOf = (forms) =>
  Object.fromEntries(
    forms.map(([threadsPerElement, unroll, elementsAtOnce = 1]) => [
      `${threadsPerElement} threads x ${unroll}${elementsAtOnce === 1 ? "" : `, ${elementsAtOnce} pages`}`,
      { sharing: { threadsPerElement, unroll, elementsAtOnce } },
    ]),
  );
if (wanted.has("sharing")) {
  const few = [4, 8, 16].map((threads) => [threads, 1]);
  const warp = [1, 2, 4, 6, 7].map((words) => [32, words]);
  const block = [[64, 2], ...[1, 2, 4, 6].map((words) => [256, words])];
  const several = [
    [8, 1, 2],
    [8, 1, 4],
    [16, 1, 2],
    [16, 1, 4],
    [16, 2, 2],
    [32, 2, 2],
    [32, 4, 2],
  ];
  for (const copy of copies.filter(({ name }) => /\/(\d+|mla-fp8)$/.test(name))) {
    const [{ page }] = copy.groups;
    const words = layoutOf(page.source).sizeBytes / 16;
    const fitting = words < 128 ? [...few, [16, 2], ...warp, ...several] : [...warp, ...block, [32, 2, 2]];
    const tunings = { "as chosen": {}, ...formsOf(fitting) };
    run(copy, simulated ? [2 ** 14] : [2 ** 24, 2 ** 26, 2 ** 28], DEVICE, undefined, tunings);
  }
}
// Words of 8 bytes, two loads each.
if (wanted.has("odd-sharing")) {
  const short = [
    [16, 1],
    [16, 1, 4],
    [16, 2],
  ];
  const warp = [1, 2, 3, 4, 5, 6, 8].map((words) => [32, words]);
  const block = [1, 2, 4].map((words) => [256, words]);
  const tunings = { "as chosen": {}, "plain words": { chunks: false } };
  for (const copy of [...ODD_COPIES, copyOfBytes(132), copyOfBytes(1004)]) {
    const words = layoutOf(copy.groups[0].page.source).sizeBytes / 8;
    const forms = formsOf([...(words < 100 ? short : []), ...warp, ...(words > 100 ? block : [])]);
    run(copy, simulated ? [2 ** 14] : [2 ** 24, 2 ** 26], DEVICE, undefined, { ...tunings, ...forms });
  }
}
// Words of two widths in one launch: the narrower shifted, or plain.
if (wanted.has("two-widths"))
  for (const copy of copies.filter(({ name }) => name === "pages/mla-fp8"))
    run(copy, simulated ? [2 ** 17] : [2 ** 24, 2 ** 26, 2 ** 28], DEVICE, undefined, {
      "as chosen": {},
      "plain words": { chunks: false },
    });
// Loads or stores that leave L2 first.
if (wanted.has("leaving")) {
  const hints = { bypassL1: false, storeOperator: "wb", loadOperator: "ca" };
  const tunings = {
    neither: { hints },
    loads: { hints: { ...hints, loadOperator: "cs" } },
    stores: { hints: { ...hints, storeOperator: "cs" } },
  };
  for (const copy of [...copies.filter(({ name }) => /\/\d+$/.test(name)), ...ODD_COPIES])
    run(copy, simulated ? [2 ** 14] : [2 ** 22, 2 ** 24, 2 ** 26], DEVICE, undefined, tunings);
}
if (wanted.has("host-sharing")) {
  const tunings = {
    "as chosen": {},
    ...formsOf([
      [16, 1],
      [16, 2],
      [32, 1],
      [32, 2],
      [32, 4],
      [256, 1],
      [256, 2],
      [256, 4],
    ]),
  };
  for (const copy of copies.filter(({ name }) => /\/(656|2048|8192|24576)$/.test(name)))
    for (const kinds of [
      { source: "device", target: "pinned" },
      { source: "pinned", target: "device" },
    ])
      run(copy, simulated ? [2 ** 14] : [2 ** 24, 2 ** 26], kinds, undefined, tunings);
}
if (wanted.has("ends"))
  for (const copy of copies.filter(({ name }) => /\/(128|144|512)$/.test(name)))
    for (const total of simulated ? [2 ** 14] : [2 ** 16, 2 ** 20]) endTimes(copy, total);
if (wanted.has("calls")) {
  const [page] = copies.filter(({ name }) => name === "pages/2048");
  for (const pools of [1, 8, 64, 160]) {
    const [group] = page.groups;
    const side = { ...group.source, firstBytes: new Array(pools).fill(0) };
    callTimes({ ...page, groups: [{ ...group, source: side, target: side }] });
  }
}
python?.[Symbol.dispose]();
