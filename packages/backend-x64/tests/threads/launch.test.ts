import { Assembler, general, rax, rcx, rdi, mem } from "@stowage/asm-x64";
import {
  dense,
  forEachRun,
  integerTable,
  layout,
  sequence,
  stream,
  uniformBlocks,
  blocks,
  type Layout,
  type LayoutNode,
} from "@stowage/ir";
import { packMove, unpackMove } from "@stowage/backend-api";
import koffi from "koffi";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, describe, expect, test } from "vitest";
import { program } from "../../src/lower/program.js";
import { probeMachine } from "../../src/memory/machine.js";
import { DEFAULT_TUNING } from "../../src/options.js";
import type { LaunchRecord } from "@stowage/host-plans";
import { sliceTable } from "../../src/threads/slice-table.js";
import { ThreadPool } from "../../src/threads/thread-pool.js";

/** Counts itself in at its source, and returns once two have: a slice with it in front waits for another thread. */
function meetCode(): Uint8Array {
  const asm = new Assembler();
  asm.emit(general.mov_rm64_imm32, [rax, 1]);
  asm.emit(general.lock);
  asm.emit(general.xadd_m64_r64, [mem(rdi), rax]);
  asm.emit(general.or_rm64_r64, [rax, rax]);
  const met = asm.label();
  asm.emit(general.jne_rel32, [met]);
  const top = asm.here();
  asm.emit(general.pause);
  asm.emit(general.mov_r64_rm64, [rcx, mem(rdi)]);
  asm.emit(general.cmp_rm64_imm8, [rcx, 2]);
  asm.emit(general.jl_rel32, [top]);
  asm.bind(met);
  asm.emit(general.ret);
  return asm.finish();
}

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}

const probed = probeMachine();
const element = (root: LayoutNode) => layout(0, root, { lowerBoundBytes: 0, extentBytes: root.highBytes });
const lengths = Int32Array.from({ length: 300 }, (_, i) => 1 + ((i * 7) % 16));
const starts = Int32Array.from({ length: 300 }, (_, i) => ((i * 113) % 300) * 160);

const SHAPES: readonly (readonly [string, LayoutNode])[] = [
  ["one run", dense(40_000)],
  ["rows", stream(500, 96, dense(72))],
  ["short blocks", stream(2000, 24, dense(12))],
  ["boxes on the stack", stream(9, 8000, stream(8, 900, stream(7, 90, dense(40))))],
  ["columns", stream(64, 8, stream(64, 640, dense(8)))],
  [
    "a table",
    uniformBlocks(
      integerTable(700, (i) => ((i * 37) % 700) * 40),
      dense(24),
    ),
  ],
  ["runs of varying length", blocks(starts, lengths, 8, dense(8))],
  [
    "members",
    sequence([
      { offsetBytes: 0, node: stream(60, 30, dense(12)) },
      { offsetBytes: 4000, node: dense(700) },
    ]),
  ],
];

if ("machine" in probed) {
  const { machine } = probed;
  const pool = new ThreadPool(1, machine.poolCode());
  const meet = machine.arena.add(meetCode()).address;
  afterAll(() => pool.release());

  /** Both halves of a range, on two threads that start at the same moment. */
  function runTogether(halves: readonly LaunchRecord[]): void {
    const met = new BigInt64Array(1);
    const meeting: LaunchRecord = [meet, Number(koffi.address(met)), 0, 0, 0, 0];
    const table = sliceTable(halves.map((half) => [meeting, half]));
    pool.prepare(table)();
    expect([met[0], table.numbers.length]).toEqual([2n, 2 * (2 + 12)]);
  }

  /** What moving run by run gives. */
  function expected(type: Layout, direction: "pack" | "unpack", source: Uint8Array, target: Uint8Array): Uint8Array {
    const want = target.slice();
    let at = 0;
    forEachRun(type, { count: 1, first: 0, length: type.sizeBytes }, (offset, length) => {
      const [from, to] = direction === "pack" ? [offset, at] : [at, offset];
      want.set(source.subarray(from, from + length), to);
      at += length;
    });
    return want;
  }

  describe.each(["pack", "unpack"] as const)("two threads in the code of one kernel at once, to %s", (direction) => {
    test.each(SHAPES)("%s", (_, root) => {
      const type = element(root);
      const sizes = [root.highBytes, type.sizeBytes];
      const [sourceBytes = 0, targetBytes = 0] = direction === "pack" ? sizes : sizes.reverse();
      const source = Uint8Array.from({ length: sourceBytes }, (__, i) => (i * 131 + (i >> 8)) & 255);
      const target = new Uint8Array(targetBytes);
      const want = expected(type, direction, source, target);
      const move = direction === "pack" ? packMove(type) : unpackMove(type);
      const code = machine.arena.add(program(move, machine.level, DEFAULT_TUNING).code).address;
      const [from, to] = [Number(koffi.address(source)), Number(koffi.address(target))];
      for (let round = 0; round < 50; round++) {
        target.fill(0);
        const cut = 1 + ((round * 997) % (type.sizeBytes - 1));
        runTogether([
          [code, from, to, 1, 0, cut],
          [code, from, to, 1, cut, type.sizeBytes - cut],
        ]);
        expect(Buffer.compare(target, want)).toBe(0);
      }
    });
  });

  test("every slice runs once, however often launches follow each other, and whether the threads sleep or not", async () => {
    const copies = 64;
    const source = Uint8Array.from({ length: copies * 8 }, (_, i) => i & 255);
    const target = new Uint8Array(copies * 8);
    const [from, to] = [Number(koffi.address(source)), Number(koffi.address(target))];
    const records = Array.from({ length: copies }, (_, i): LaunchRecord => [
      machine.copy.addressForAny(),
      from + 8 * i,
      to + 8 * i,
      1,
      0,
      8,
    ]);
    const run = pool.prepare(sliceTable(records.map((record) => [record])));
    // What is launched keeps its table: nothing else does here, and its memory would be another's now.
    await new Promise((resolve) => setTimeout(resolve, 2));
    collectGarbage();
    const others = Array.from({ length: 1000 }, () => new Float64Array(copies * 8).fill(NaN));
    for (let round = 0; round < 20_000; round++) {
      target.fill(0);
      run();
      if (Buffer.compare(source, target) !== 0) expect.unreachable(`round ${round}: bytes are missing`);
      if (round % 500 === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    }
    expect(others.every((numbers) => Number.isNaN(numbers[0]))).toBe(true);
  });
}
