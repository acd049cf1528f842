// node move-around-holes.mjs SEED RUNS: layouts with holes between their blocks, in memory that has no page but those
// that hold a byte of the type map. Prints each layout before it is moved, so that the last line names the one that
// ended this process.
import { writeSync } from "node:fs";
import { anyLayout } from "@stowage/arbitraries";
import { copyMove, packMove, unpackMove } from "@stowage/backend-api";
import { callRecord } from "@stowage/host-plans";
import {
  blocks,
  dense,
  forEachRun,
  integerTable,
  layout,
  printLayout,
  sequence,
  stream,
  uniformBlocks,
} from "@stowage/ir";
import fc from "fast-check";
import koffi from "koffi";
import { FEATURE_LEVELS, runsOn } from "../../dist/feature-level.js";
import { program } from "../../dist/lower/program.js";
import { check, libc } from "../../dist/memory/libc.js";
import { probeMachine } from "../../dist/memory/machine.js";
import { DEFAULT_TUNING } from "../../dist/options.js";
import { copyProgram } from "../../dist/relayout/copy-program.js";

const PAGE_BYTES = 4096;
const [NONE, READ_WRITE, PRIVATE_ANONYMOUS] = [0, 3, 0x22];
const [seed, runs] = process.argv.slice(2).map(Number);
const { machine } = probeMachine();
const LEVELS = FEATURE_LEVELS.filter((level) => runsOn(level, machine.level));
const LOOPING = { ...DEFAULT_TUNING, unrollMoves: 0, nonTemporalBytes: 0, prefetchReachBytes: 0 };

const near = fc.oneof(
  fc.integer({ min: 3, max: 40 }).map(dense),
  fc
    .tuple(fc.integer({ min: 2, max: 40 }), fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 130 }))
    .map(([count, bytes, gap]) => stream(count, bytes + gap, dense(bytes))),
  anyLayout({ disjoint: true }).map(({ root }) => root),
);
/** Three pages more than a node is long, or nearly so. */
const apart = (node, delta) => Math.ceil((node.highBytes - node.lowBytes) / PAGE_BYTES + 3) * PAGE_BYTES + delta;
const shuffled = (count, bytes) => integerTable(count, (i) => ((i * 11) % count) * bytes);
const far = fc
  .tuple(near, near, fc.integer({ min: 1, max: 6 }), fc.constantFrom(0, 0, 8, -64), fc.nat({ max: 4 }))
  .map(([node, other, count, delta, shape]) => {
    const bytes = apart(node, delta);
    if (shape === 0) return stream(8 * count, bytes, node);
    if (shape === 1) return stream(count, -bytes, node);
    if (shape === 2) return uniformBlocks(shuffled(6 * count + 1, bytes), node);
    if (shape === 3) {
      const lengths = integerTable(9, (i) => 1 + ((i * 5 + count) % 37));
      return blocks(shuffled(9, 4 * PAGE_BYTES), lengths, 1, dense(1));
    }
    return sequence([
      { offsetBytes: bytes, node },
      { offsetBytes: 0, node: other.highBytes - other.lowBytes < bytes ? other : node },
    ]);
  });
const farther = fc
  .tuple(far, fc.integer({ min: 1, max: 3 }))
  .map(([node, count]) => (count === 1 ? node : stream(count, apart(node, 0), node)));
const cases = fc
  .record({
    root: farther,
    count: fc.integer({ min: 1, max: 3 }),
    at: fc.nat(),
    flush: fc.constantFrom("start", "end"),
  })
  .map(({ root, ...rest }) => ({
    type: layout(0, root, { lowerBoundBytes: root.lowBytes, extentBytes: apart(root, 0) }),
    ...rest,
  }))
  .filter(({ type }) => type.sizeBytes > 0);

/** Memory of the pages alone that hold bytes of a range; `flush`: run number `at` begins or ends with its page. */
function sparseMemory(type, range, at, flush) {
  const { mmap, mprotect, munmap } = libc();
  const found = [];
  forEachRun(type, range, (offset, length) => found.push([offset, length]));
  const low = Math.min(...found.map(([offset]) => offset));
  const high = Math.max(...found.map(([offset, length]) => offset + length));
  const bytes = (Math.ceil((high - low) / PAGE_BYTES) + 3) * PAGE_BYTES;
  const base = mmap(0, bytes, NONE, PRIVATE_ANONYMOUS, -1, 0);
  const [offset, length] = found[at % found.length];
  const edge = (flush === "start" ? offset : offset + length) - low;
  const address = base + PAGE_BYTES + ((PAGE_BYTES - (edge % PAGE_BYTES)) % PAGE_BYTES);
  const pages = new Set();
  for (const [run, runBytes] of found) {
    const start = address + run - low;
    for (let page = Math.floor(start / PAGE_BYTES); page * PAGE_BYTES < start + runBytes; page++) pages.add(page);
  }
  for (const page of pages) check("mprotect", mprotect(page * PAGE_BYTES, PAGE_BYTES, READ_WRITE) !== 0);
  const views = new Map(
    [...pages].map((page) => [page, new Uint8Array(koffi.view(BigInt(page * PAGE_BYTES), PAGE_BYTES))]),
  );
  /** Each byte of the range, in packed order. */
  const each = (visit) => {
    let packed = 0;
    for (const [run, runBytes] of found) {
      for (let i = 0; i < runBytes; i++, packed++) {
        const byte = address + run - low + i;
        visit(views.get(Math.floor(byte / PAGE_BYTES)), byte % PAGE_BYTES, packed);
      }
    }
  };
  return { origin: address - low, each, views, free: () => void munmap(base, bytes) };
}

function denseMemory(length) {
  const type = layout(0, dense(length), { lowerBoundBytes: 0, extentBytes: length });
  return sparseMemory(type, { count: 1, first: 0, length }, 0, "end");
}

const valueAt = (i) => (i * 131 + (i >> 8) * 17 + 5) & 255;

function run(code, source, target, { count, first, length }) {
  const sealed = machine.arena.add(code);
  callRecord(machine.launcher, [sealed.address, source, target, count, first, length]);
  sealed.release();
}

/**
 * Moves a range from one memory to another, and looks at what came: the same bytes in packed order, and no others
 * changed.
 */
function move(what, code, from, to, range) {
  for (const view of to.views.values()) view.fill(0xee);
  from.each((view, i, packed) => (view[i] = valueAt(packed)));
  run(code, from.origin, to.origin, range);
  let moved = 0;
  to.each((view, i, packed) => {
    if (view[i] !== valueAt(packed)) throw new Error(`${what}: expected byte ${packed} moved, got another`);
    view[i] = 0xee;
    moved++;
  });
  for (const view of to.views.values())
    if (view.some((byte) => byte !== 0xee)) throw new Error(`${what}: expected ${moved} bytes written, got more`);
}

/** A packed buffer's origin is where byte 0 of the whole stream would lie. */
const fragmentOf = (length, first) => {
  const memory = denseMemory(length);
  return { ...memory, origin: memory.origin - first };
};

fc.sample(cases, { seed, numRuns: runs }).forEach(({ type, count, at, flush }, i) => {
  const total = count * type.sizeBytes;
  const first = at % total;
  for (const range of [
    { count, first: 0, length: total },
    { count, first, length: Math.max(1, Math.floor((total - first) * 0.7)) },
  ]) {
    for (const level of LEVELS) {
      for (const [name, tuning] of Object.entries({ default: DEFAULT_TUNING, looping: LOOPING })) {
        for (const direction of ["pack", "unpack", "copy"]) {
          const what = `${direction} at ${level}, ${name}, [${range.first}, ${range.first + range.length}) of ${count}, ${flush} of run ${at}`;
          writeSync(1, `${i}: ${what}: ${printLayout(type)}\n`);
          const scattered = sparseMemory(type, range, at, flush);
          const other =
            direction === "copy" ? sparseMemory(type, range, at, "end") : fragmentOf(range.length, range.first);
          const code = {
            pack: () => program(packMove(type), level, tuning),
            unpack: () => program(unpackMove(type), level, tuning),
            copy: () => copyProgram(copyMove(type, type), level, tuning),
          }[direction]().code;
          const [from, to] = direction === "unpack" ? [other, scattered] : [scattered, other];
          move(what, code, from, to, range);
          scattered.free();
          other.free();
        }
      }
    }
  }
});
writeSync(1, "done\n");
