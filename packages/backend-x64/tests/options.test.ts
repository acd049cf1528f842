import { conditions, hostMemory, packMove, unpackMove, type Move, type Span, type Stores } from "@stowage/backend-api";
import {
  canonicalise,
  dense,
  integerTable,
  layout,
  lower,
  predefined,
  stream,
  uniformBlocks,
  vector,
} from "@stowage/ir";
import koffi from "koffi";
import { describe, expect, test } from "vitest";
import { wholeElementRanges, X64Backend, type X64Options } from "../src/index.js";
import { probeMachine } from "../src/memory/machine.js";
import { DEFAULT_TUNING } from "../src/options.js";
import { unknown } from "../src/targets/unknown.js";

const runs = "machine" in probeMachine();
const element = (root: Parameters<typeof layout>[1], extentBytes: number) =>
  layout(0, root, { lowerBoundBytes: 0, extentBytes });

test("fragments of whole elements cover the stream, in order, each as long as can be", () => {
  const type = element(dense(24), 32);
  expect(wholeElementRanges(type, 5, 64)).toEqual([
    { count: 5, first: 0, length: 48 },
    { count: 5, first: 48, length: 48 },
    { count: 5, first: 96, length: 24 },
  ]);
  expect(wholeElementRanges(type, 1, 16)).toEqual([
    { count: 1, first: 0, length: 16 },
    { count: 1, first: 16, length: 8 },
  ]);
});

describe.runIf(runs)("options", () => {
  const wide = element(stream(9, 256, dense(128)), 9 * 256);
  const promised = conditions({ sourceAlignment: 64, targetAlignment: 64 });
  const listingOf = (backend: X64Backend, promises = promised): string => {
    using kernel = backend.load(backend.compile([packMove(wide)], promises));
    return kernel.explain();
  };

  const timesIn = (instruction: string, move: Move, options: X64Options): number => {
    const backend = new X64Backend(options);
    using kernel = backend.load(backend.compile([move], conditions()));
    return kernel.explain().split(instruction).length - 1;
  };

  test("aligned moves are emitted only where they are asked for and promised", () => {
    expect(listingOf(new X64Backend({ level: "sse2", alignedMoves: true }))).toContain("movaps");
    expect(listingOf(new X64Backend({ level: "sse2" }))).not.toContain("movaps");
    expect(listingOf(new X64Backend({ level: "sse2", alignedMoves: true }), conditions())).not.toContain("movaps");
  });

  test("columns with set conflicts in L1d limit outstanding misses: of loads by NOP padding, of stores by fences", () => {
    const column = (strideBytes: number, count: number) => element(stream(count, strideBytes, dense(16)), 16);
    const times = (instruction: string, move: Move, limits = true): number =>
      timesIn(instruction, move, {
        paddedConflicts: limits,
        fencedConflicts: limits,
        paddedStores: false,
        paddedBlocks: false,
        paddedPages: false,
      });
    const nops = (...of: [Move, boolean?]): number => times("test rax, rax", ...of);
    expect(nops(packMove(column(12_288, 64)))).toBeGreaterThanOrEqual(14);
    expect(nops(packMove(column(2048, 64)))).toBeGreaterThanOrEqual(5);
    expect(nops(packMove(column(12_288, 64)), false)).toBe(0);
    expect(nops(packMove(column(12_304, 64)))).toBe(0);
    // Non-temporal stores end with one of their own.
    const others = times("sfence", unpackMove(column(2048, 40)));
    expect(times("sfence", unpackMove(column(12_288, 40)))).toBeGreaterThanOrEqual(others + 8);
  });

  test("columns with set conflicts have NOP padding between stores where that is asked for, and no fences", () => {
    const column = (strideBytes: number, count: number) => element(stream(count, strideBytes, dense(16)), 16);
    const nops = (move: Move, paddedStores = true): number =>
      timesIn("test rax, rax", move, { paddedStores, fencedConflicts: false, paddedPages: false });
    expect(nops(unpackMove(column(12_288, 64)))).toBeGreaterThanOrEqual(80);
    expect(nops(unpackMove(column(2048, 64)))).toBeGreaterThanOrEqual(32);
    expect(nops(unpackMove(column(12_304, 64)))).toBe(0);
    expect(nops(unpackMove(column(12_288, 32)))).toBe(0);
    expect(nops(unpackMove(column(12_288, 64)), false)).toBe(0);
  });

  test("blocks in more pages than the dTLB reaches, of parts half of it, have rounds of one block, with NOP padding between them", () => {
    const column = (strideBytes: number) => element(stream(512, strideBytes, dense(40)), strideBytes * 512 + 8);
    const options: X64Options = {
      target: unknown,
      level: "sse2",
      paddedConflicts: true,
      fencedConflicts: true,
      paddedBlocks: false,
      paddedPages: true,
      paddedPageStoresBytes: 6144,
    };
    const listed = (instruction: string, move: Move, changed: X64Options = {}): number =>
      timesIn(instruction, move, { ...options, ...changed });
    const atLeast = (pages: number): string => `cmp rax, ${pages * 40}`;
    const least = atLeast(2048);
    for (const moveOf of [packMove, unpackMove]) {
      expect(listed(least, moveOf(column(6560)))).toBe(1);
      expect(listed(atLeast(1024), moveOf(column(6560)))).toBe(1);
      expect(listed(least, moveOf(column(8192)))).toBe(0);
      expect(listed(least, moveOf(column(8192)), { paddedConflicts: false, fencedConflicts: false })).toBe(1);
      expect(listed(least, moveOf(column(4080)))).toBe(0);
      expect(listed(least, moveOf(column(6560)), { paddedPages: false })).toBe(0);
      // Ten for each of the 1.6 lines that a block touches, less the three that move it.
      expect(listed("test rax, rax", moveOf(column(6560)))).toBe(13);
    }
    expect(listed(least, packMove(column(5008)))).toBe(1);
    expect(listed(least, unpackMove(column(5008)))).toBe(0);
    // Where nobody measured: nearer ones only packed.
    const plain = { paddedPageStoresBytes: DEFAULT_TUNING.paddedPageStoresBytes };
    expect(listed(least, packMove(column(6560)), plain)).toBe(1);
    expect(listed(least, unpackMove(column(6560)), plain)).toBe(0);
    expect(listed(least, unpackMove(column(40_880)), plain)).toBe(1);
    expect(listed("prefetcht0", packMove(column(6560)))).toBeGreaterThan(
      listed("prefetcht0", packMove(column(6560)), { paddedPages: false }),
    );
  });

  test("sparse blocks that the caches do not hold are unpacked in long rounds", () => {
    const rows = element(stream(10_000, 128, dense(12)), 1_280_008);
    const lines = (longRounds: boolean): number => {
      const backend = new X64Backend({ longRounds });
      using kernel = backend.load(backend.compile([unpackMove(rows)], conditions()));
      return kernel.explain().split("\n").length;
    };
    expect(lines(true)).toBeGreaterThan(lines(false) + 4 * 24);
  });

  test("runs of the least length that REP MOVSB is for are copied by it, others are not", () => {
    const run = (bytes: number) => unpackMove(element(stream(9, 8192, dense(bytes)), 9 * 8192));
    const options: X64Options = { level: "sse2", repMovsbBytes: 4096, alignedStoresBytes: Infinity };
    const callsOf = (bytes: number, changed: X64Options = {}) =>
      timesIn("call", run(bytes), { ...options, ...changed });
    expect(callsOf(4096)).toBe(callsOf(4095) + 1);
    expect(timesIn("rep movsb", run(4096), options)).toBe(1);
    expect(timesIn("rep movsb", run(4096), { ...options, repMovsbBytes: Infinity })).toBe(0);
  });

  test("runs from the least length on whose stores keep to lines are copied by a routine, others are not", () => {
    const run = (bytes: number) => unpackMove(element(stream(9, 8192, dense(bytes)), 9 * 8192));
    const callsOf = (bytes: number, alignedStoresBytes: number) =>
      timesIn("call", run(bytes), { level: "sse2", repMovsbBytes: Infinity, alignedStoresBytes });
    expect(callsOf(2048, 2048)).toBe(callsOf(2047, 2048) + 1);
    expect(callsOf(2048, Infinity)).toBe(callsOf(2047, 2048));
  });

  test("non-temporal stores, and none, are what the conditions ask for", () => {
    const rows = element(stream(2048, 256, dense(128)), 2048 * 256);
    const isNonTemporal = (stores?: Stores): boolean => {
      using kernel = new X64Backend().load(
        new X64Backend().compile([packMove(rows)], conditions(stores === undefined ? {} : { stores })),
      );
      return kernel.explain().includes("sfence");
    };
    expect([isNonTemporal("temporal"), isNonTemporal("streaming"), isNonTemporal()]).toEqual([false, true, true]);
  });

  test.each(["temporal", "streaming"] as const)(
    "parts of any place and length move the same bytes by %s stores",
    (stores) => {
      const rows = element(stream(2048, 256, dense(128)), 2048 * 256);
      const source = Uint8Array.from({ length: rows.extentBytes }, (_, i) => (i * 37) >> 3);
      const packed = new Uint8Array(rows.sizeBytes);
      const want = Uint8Array.from(
        { length: rows.sizeBytes },
        (_, i) => source[Math.floor(i / 128) * 256 + (i % 128)] as number,
      );
      using kernel = new X64Backend().load(new X64Backend().compile([packMove(rows)], conditions({ stores })));
      for (let first = 0; first < rows.sizeBytes; first += 65_521) {
        const range = { count: 1, first, length: Math.min(65_521, rows.sizeBytes - first) };
        const [from, to] = [source, packed].map((bytes) => ({ memory: hostMemory(bytes), originBytes: 0 })) as [
          Span,
          Span,
        ];
        using plan = kernel.bind([{ source: from, target: to, ...range }]);
        plan.run();
      }
      expect(Buffer.compare(packed, want)).toBe(0);
    },
  );

  test.each([0, 1, 8, 16, 32])(
    "full packs of the least size that non-temporal stores are for, to a target %i bytes past a line",
    (past) => {
      const blockOf = (i: number): number => ((i * 7) % 2048) * 256;
      const rows = element(uniformBlocks(integerTable(2048, blockOf), dense(128)), 2048 * 256);
      const source = Uint8Array.from({ length: rows.extentBytes }, (_, i) => (i * 37) >> 3);
      const memory = new Uint8Array(rows.sizeBytes + 128);
      const toLine = (64 - (Number(koffi.address(memory)) % 64)) % 64;
      const packed = memory.subarray(toLine + past, toLine + past + rows.sizeBytes);
      const backend = new X64Backend({ nonTemporalBytes: rows.sizeBytes });
      using kernel = backend.load(backend.compile([packMove(rows)], conditions()));
      expect(kernel.explain()).toMatch(/test rsi, (31|63)/);
      const [from, to] = [source, packed].map((bytes) => ({ memory: hostMemory(bytes), originBytes: 0 })) as [
        Span,
        Span,
      ];
      using plan = kernel.bind([{ source: from, target: to, count: 1, first: 0, length: rows.sizeBytes }]);
      plan.run();
      const want = Uint8Array.from(packed, (_, i) => source[blockOf(Math.floor(i / 128)) + (i % 128)] as number);
      expect(Buffer.compare(packed, want)).toBe(0);
    },
  );

  test("a level is what explain() names, and the key of an artifact depends on it", () => {
    const moves = [unpackMove(canonicalise(lower(vector(40, 1, 2, predefined("MPI_DOUBLE")))))];
    const [plain, forced] = [new X64Backend({ level: "sse2" }), new X64Backend({ level: "sse2", unrollMoves: 1 })];
    expect(plain.compile(moves, promised).key).not.toBe(forced.compile(moves, promised).key);
    expect(listingOf(plain)).toContain("; move 0, sse2");
  });

  test("a layout that nests too deep is refused with a reason", () => {
    let root = stream(2, 16, dense(8));
    for (let i = 0; i < 600; i++) root = stream(1, 0, root);
    expect(new X64Backend().supports([packMove(element(root, 64))], promised)).toMatchObject({
      ok: false,
      reason: expect.stringContaining("levels of nesting") as string,
    });
  });
});
