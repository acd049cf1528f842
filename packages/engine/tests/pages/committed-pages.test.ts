import { CpuBackend } from "@stowage/backend-cpu";
import { contiguous, predefined, subarray, type Datatype } from "@stowage/ir";
import { describe, expect, test } from "vitest";
import { Engine, type PagesOptions } from "../../src/index.js";

const PAGE_BYTES = 16;
const page: Datatype = contiguous(PAGE_BYTES, predefined("MPI_BYTE"));

const engineOf = (): Engine => new Engine({ backends: [new CpuBackend()] });

/** A pool whose page p holds p at each byte, from `first` on. */
const pool = (pages: number, first = 0): Uint8Array =>
  Uint8Array.from({ length: pages * PAGE_BYTES }, (_, i) => first + Math.floor(i / PAGE_BYTES));

const pagesOf = (bytes: Uint8Array): readonly number[] =>
  Array.from({ length: bytes.length / PAGE_BYTES }, (_, p) => {
    const held = new Set(bytes.subarray(p * PAGE_BYTES, (p + 1) * PAGE_BYTES));
    return held.size === 1 ? ([...held][0] as number) : NaN;
  });

const optionsFor = (sources: readonly Uint8Array[], targets: readonly Uint8Array[]): PagesOptions => ({
  groups: [
    {
      page,
      source: { bases: sources, strideBytes: PAGE_BYTES },
      target: { bases: targets, strideBytes: PAGE_BYTES },
    },
  ],
  index: "u32",
});

describe("paged copies", () => {
  test("move the pages that the tables name, in every pool", () => {
    using engine = engineOf();
    const [sources, targets] = [
      [pool(8), pool(8, 100)],
      [pool(4, 200), pool(4, 200)],
    ];
    const pages = engine.commitPages(optionsFor(sources, targets));
    using plan = pages.bind({ sourcePages: Uint32Array.of(5, 5, 7), targetPages: Uint32Array.of(2, 0, 3) });
    plan.run().wait();
    expect(targets.map(pagesOf)).toEqual([
      [5, 201, 5, 7],
      [105, 201, 105, 107],
    ]);
  });

  test("leave pages where an entry of -1 stands, where that is asked for", () => {
    using engine = engineOf();
    const [source, target] = [pool(4), pool(4, 50)];
    const skipping = engine.commitPages({ ...optionsFor([source], [target]), skip: -1 });
    const tables = { sourcePages: Int32Array.of(3, -1, 1), targetPages: Int32Array.of(0, 1, -1) };
    using plan = skipping.bind(tables);
    plan.run().wait();
    expect(pagesOf(target)).toEqual([3, 51, 52, 53]);
    expect(() => engine.commitPages(optionsFor([source], [target])).bind(tables)).toThrow(
      "entry 1 of the table of the source of move 0: expected from 0 to 3, got 4294967295",
    );
  });

  test("take other tables, and a number of pages that is read when they run", () => {
    using engine = engineOf();
    const [source, target] = [pool(6), pool(6, 50)];
    const pages = engine.commitPages(optionsFor([source], [target]));
    const count = Uint32Array.of(1);
    using plan = pages.bind({ sourcePages: Uint32Array.of(4, 5), targetPages: Uint32Array.of(0, 1), count });
    plan.run().wait();
    expect(pagesOf(target)).toEqual([4, 51, 52, 53, 54, 55]);
    count[0] = 9;
    plan.run().wait();
    expect(pagesOf(target)).toEqual([4, 5, 52, 53, 54, 55]);
    plan.rebind({ sourcePages: Uint32Array.of(3), targetPages: Uint32Array.of(5) });
    plan.run().wait();
    expect(pagesOf(target)).toEqual([4, 5, 52, 53, 54, 3]);
  });

  test("run group by group, with a completion each, on the tables that are bound", () => {
    using engine = engineOf();
    const [keys, values] = [pool(8), pool(8, 100)];
    const [layer0, layer1] = [pool(3, 50), pool(3, 50)];
    const group = (source: Uint8Array, target: Uint8Array) => optionsFor([source], [target]).groups;
    const pages = engine.commitPages({ groups: [...group(keys, layer0), ...group(values, layer1)], index: "u32" });
    using plan = pages.bind({ sourcePages: Uint32Array.of(5, 6), targetPages: Uint32Array.of(2, 0) });
    expect(plan.runEach().map((each) => each.poll())).toEqual([true, true]);
    expect([layer0, layer1].map(pagesOf)).toEqual([
      [6, 51, 5],
      [106, 51, 105],
    ]);
    plan.rebind({ sourcePages: Uint32Array.of(1), targetPages: Uint32Array.of(1) });
    for (const each of plan.runEach()) each.wait();
    expect([layer0, layer1].map(pagesOf)).toEqual([
      [6, 1, 5],
      [106, 101, 105],
    ]);
  });

  test("keep their tables where others are refused for a later pool", () => {
    using engine = engineOf();
    const targets = [pool(4, 50), pool(2, 50)];
    const pages = engine.commitPages(optionsFor([pool(4), pool(4)], targets));
    using plan = pages.bind({ sourcePages: Uint32Array.of(0), targetPages: Uint32Array.of(1) });
    expect(() => plan.rebind({ sourcePages: Uint32Array.of(3), targetPages: Uint32Array.of(3) })).toThrow(
      "entry 0 of the table of the target of move 1: expected from 0 to 1, got 3",
    );
    plan.run().wait();
    expect(targets.map(pagesOf)).toEqual([
      [50, 0, 52, 53],
      [50, 0],
    ]);
  });

  test("copy from one layout of a page to another", () => {
    using engine = engineOf();
    const heads = subarray({
      sizes: [2, 4],
      subsizes: [2, 2],
      starts: [0, 1],
      order: "C",
      child: predefined("MPI_INT"),
    }); // heads 1 and 2 of 4, of 2 tokens
    const own = contiguous(4, predefined("MPI_INT"));
    const source = Int32Array.from({ length: 24 }, (_, i) => i);
    const target = new Int32Array(8);
    const pages = engine.commitPages({
      groups: [
        {
          page: { source: heads, target: own },
          source: { bases: [source], strideBytes: 32 },
          target: { bases: [target], strideBytes: 16 },
        },
      ],
      index: "i64",
    });
    using plan = pages.bind({ sourcePages: BigInt64Array.of(2n, 0n), targetPages: BigInt64Array.of(0n, 1n) });
    plan.run().wait();
    expect([...target]).toEqual([17, 18, 21, 22, 1, 2, 5, 6]);
  });

  test("within one pool move pages that are not written, and refuse those that are", () => {
    using engine = engineOf();
    const cache = pool(6);
    const pages = engine.commitPages(optionsFor([cache], [cache]));
    using plan = pages.bind({ sourcePages: Uint32Array.of(4, 5), targetPages: Uint32Array.of(0, 1) });
    plan.run().wait();
    expect(pagesOf(cache)).toEqual([4, 5, 2, 3, 4, 5]);
    expect(() => pages.bind({ sourcePages: Uint32Array.of(4, 1), targetPages: Uint32Array.of(1, 0) })).toThrow(
      "target of move 0: expected elements apart from the source's, got byte 16 in both",
    );
  });

  test.each([
    [
      { sourcePages: Uint32Array.of(0, 1), targetPages: Uint32Array.of(0, 4) },
      "entry 1 of the table of the target of move 0: expected from 0 to 3, got 4",
    ],
    [
      { sourcePages: Uint32Array.of(0), targetPages: Uint32Array.of(0), count: 2 },
      "table of the source of move 0: expected 2 entries of 4 bytes within [0, 4), got [0, 8)",
    ],
    [
      { sourcePages: Uint32Array.of(0, 1), targetPages: Uint32Array.of(2, 2), check: true },
      "entry 1 of the target pages: expected a page that comes once, got page 2 again",
    ],
    [
      { sourcePages: new Uint8Array(9).subarray(1), targetPages: Uint32Array.of(0, 1) },
      "table of the source of move 0: expected entries aligned to 4 bytes, got an address or a byte offset of 1",
    ],
  ])("refuse %o in a line, and write nothing", (tables, message) => {
    using engine = engineOf();
    const target = pool(4, 50);
    const pages = engine.commitPages(optionsFor([pool(4)], [target]));
    expect(() => pages.bind(tables)).toThrow(message);
    expect(pagesOf(target)).toEqual([50, 51, 52, 53]);
  });
});
