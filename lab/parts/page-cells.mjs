// Copies of pages as cells: where pools lie in memory, which entries tables have, what of a page moves, and a check.
import { canonicalise, forEachRun, lower } from "@stowage/ir";
import { ERASED, fillWithNoise, must, requireNoneWrong } from "./cuda-peers.mjs";
import { bytesOn } from "./device-bytes.mjs";

const [FEWEST_PAGES, MOST_PAGES] = [16, 120_000];

export const layoutOf = (type) => canonicalise(lower(type));

/**
 * One memory of each kind to copy from, and one to copy to, made when it is first asked for: pools are slices of it. No
 * copy is of more than `mostBytes`.
 */
export function pageMemories(gpu, peers, { mostBytes, ...sizesBytes }) {
  const made = new Map();
  const make = (kind, side) => {
    const bytes = sizesBytes[kind];
    const memory = kind === "device" ? gpu.context.deviceMemory(bytes) : gpu.context.pinnedMemory(bytes);
    if (side === "source") fillWithNoise(gpu, peers, memory);
    return memory;
  };
  return {
    mostBytes,
    of(kind, side) {
      const key = `${kind} ${side}`;
      if (!made.has(key)) made.set(key, make(kind, side));
      return made.get(key);
    },
    [Symbol.dispose]: () => made.forEach((memory) => memory[Symbol.dispose]()),
  };
}

/** Integers below a limit, the same each time. */
export function drawer() {
  let state = 0x2545f491;
  return (below) => {
    state = Math.imul(state ^ (state >>> 15), 0x85ebca6b) + 0x6d2b79f5;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
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

/** The memory of one pool. */
export const buffer = (memory, { originBytes, sliceBytes }) => ({
  kind: memory.kind,
  sizeBytes: sliceBytes,
  address: memory.address + originBytes,
  ...(memory.kind === "device" ? { device: memory.device } : {}),
});

/** Distinct entries in a random order; undefined where the pools hold too few pages. */
function entriesOf(count, pools, layouts, random) {
  const pages = Math.min(
    ...pools.map(({ sliceBytes, strideBytes, entries, group }) => {
      const slots = Math.floor((sliceBytes - layouts[group].trueExtentBytes) / strideBytes) + 1;
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

/** Memory on the device with these numbers in it. */
export function onDevice(gpu, numbers) {
  const memory = gpu.context.deviceMemory(Math.max(16, numbers.byteLength));
  gpu.write(memory, new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength));
  return memory;
}

/** All that contenders of one cell share; undefined where the pools hold too few pages for so many bytes. */
export function pageCell(shared, { name, groups, placed, isOrdered = false }, total, kinds) {
  const { gpu, memories, random } = shared;
  const sides = groups.map(({ page }) => ({ source: layoutOf(page.source), target: layoutOf(page.target) }));
  const memory = { source: memories.of(kinds.source, "source"), target: memories.of(kinds.target, "target") };
  const [from, to] = ["source", "target"].map((side) => poolsOf(groups, side, memory[side]));
  const pageBytes = from.reduce((sum, { group }) => sum + sides[group].source.sizeBytes, 0);
  const count = Math.min(MOST_PAGES, Math.floor(total / pageBytes));
  if (count < FEWEST_PAGES || count * pageBytes < total / 2 || total > memories.mostBytes) return undefined;
  const pools = { source: from, target: to };
  const [read, written] = ["source", "target"].map((side) => {
    if (isOrdered || (placed !== "both" && placed !== side)) return identity(count);
    const layouts = sides.map((each) => each[side]);
    return entriesOf(count, pools[side], layouts, random);
  });
  if (read === undefined || written === undefined) return undefined;
  return {
    ...shared,
    ...{ name, groups, placed, isOrdered, sides, memory, pools, pageBytes, count },
    ...{ from: read, to: written, fromTable: onDevice(gpu, read), toTable: onDevice(gpu, written) },
    runs: sides.map(({ source, target }) => runsOf(source, target)),
    bytes: count * pageBytes,
    [Symbol.dispose]() {
      for (const table of [this.fromTable, this.toTable]) table[Symbol.dispose]();
    },
  };
}

/** The same bytes, side by side: as many pages of one pool, one after another. */
export function sideBySide(cell) {
  const { gpu, count, pageBytes } = cell;
  const pages = identity(count);
  const table = onDevice(gpu, pages);
  const pool = { group: 0, originBytes: 0 };
  const side = { strideBytes: pageBytes };
  return {
    ...cell,
    ...{ groups: [{ source: side, target: side }], pools: { source: [pool], target: [pool] } },
    ...{ from: pages, to: pages, fromTable: table, toTable: table },
    runs: [[{ source: 0, target: 0, bytes: pageBytes }]],
    [Symbol.dispose]: () => table[Symbol.dispose](),
  };
}

/** Erases the target, runs, and throws where a byte is not a page's, or was written that is no page's. */
export function checkPages(cell, name, run) {
  const { gpu, memory, peers, count } = cell;
  if (memory.target.kind === "device") gpu.fill(memory.target, ERASED);
  else memory.target.bytes.fill(ERASED);
  run();
  gpu.stream.synchronize();
  (peers === undefined ? verifyHere : verifyThere)(cell, `${name} of ${cell.name}, ${count} pages`);
}

/** Compares on the device, by kernels that know no contender. */
function verifyThere({ gpu, peers, memory, pools, groups, count, fromTable, toTable, runs }, who) {
  const lists = runs.map((list) =>
    onDevice(gpu, BigUint64Array.from(list.flatMap((run) => [run.source, run.target, run.bytes].map(BigInt)))),
  );
  try {
    requireNoneWrong(gpu, peers, who, memory.target, memory.target.sizeBytes, (counter) => {
      pools.source.forEach(({ group, originBytes }, i) => {
        const [source, target] = [
          memory.source.address + originBytes,
          memory.target.address + pools.target[i].originBytes,
        ];
        const [a, b] = [groups[group].source.strideBytes, groups[group].target.strideBytes];
        const tables = [fromTable.address, toTable.address];
        const moved = [count, lists[group].address, runs[group].length];
        const status = peers.pages(source, tables[0], a, target, tables[1], b, ...moved, counter, gpu.stream.handle);
        must(status, "compare");
      });
    });
  } finally {
    for (const list of lists) list[Symbol.dispose]();
  }
}

/** Compares in this process, where there is no device to compare on. */
function verifyHere({ gpu, memory, pools, from, to, runs, groups }, who) {
  const [source, target] = [memory.source, memory.target].map((each) => bytesOn(gpu, each));
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
  if (Buffer.compare(expected, target) !== 0) throw new Error(`${who}: expected the pages, got other bytes`);
}
