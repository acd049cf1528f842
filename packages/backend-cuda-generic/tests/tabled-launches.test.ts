import { conditions, type Binding, type Buffer, type Move } from "@stowage/backend-api";
import { print } from "@stowage/ptx";
import { describe, expect, test } from "vitest";
import { CudaGenericBackend } from "../src/index.js";
import { sharing, sharingOfShifted } from "../src/tabled/tabled-launch.js";
import { binding, expected, KINDS, pageMove, POOL_PAGES, poolBytes, Pools, type Tables } from "./page-pools.js";

describe("a launch over several pools", () => {
  // 3 lie in the smaller class of parameters, 40 in the largest, 230 in device memory.
  test.each([
    [3, [528]],
    [40, [528]],
    [40, [528, 132]],
    [40, [528, 132, 24, 6]],
    [230, [48]],
    [230, [48, 20]],
  ])("of %i pools in pages of %j bytes copies each by the same tables", (number, lengths) => {
    const pools = new Pools();
    const [from, to] = [
      [7, 0, 3, 3, 5],
      [0, 6, 2, 1, 7],
    ];
    const tables = { from, to, source: pools.table(from, "u32"), target: pools.table(to, "u32") };
    const sizes = Array.from({ length: number }, (_, i) => lengths[i % lengths.length] as number);
    const sources = sizes.map((bytes, i) => pools.pool(bytes, i));
    const targets = sizes.map((bytes) => pools.filled(new Uint8Array(POOL_PAGES * bytes)));
    const bindings = sizes.map((bytes, i) => binding(bytes, sources[i] as Buffer, targets[i] as Buffer, tables));
    using backend = pools.backend;
    using kernel = backend.load(
      backend.compile(
        sizes.map((bytes) => pageMove(bytes)),
        conditions(KINDS),
      ),
    );
    using plan = kernel.bind(bindings);
    plan.run().wait();
    sizes.forEach((bytes, i) =>
      expect(pools.device.read(targets[i] as Buffer, 0, POOL_PAGES * bytes)).toEqual(expected(bytes, i, tables)),
    );
  });

  test.each([2, 4])("reads the entries of %i pages at once", (elementsAtOnce) => {
    const pools = new Pools();
    const bytes = 144;
    const [from, to] = [
      [7, -1, 3, 3, 5, 1, 0],
      [0, 6, 2, -1, 7, 9, 4],
    ];
    const count = pools.filled(new Uint8Array(Uint32Array.of(7).buffer));
    const tables = {
      from,
      to,
      source: pools.table(from, "u32"),
      target: pools.table(to, "u32"),
      count,
    };
    const driver = pools.driver;
    using backend = new CudaGenericBackend({
      driver,
      tuning: { sharing: { threadsPerElement: 8, unroll: 1, elementsAtOnce } },
    });
    const sources = [0, 1, 2].map((seed) => pools.pool(bytes, seed));
    const targets = sources.map(() => pools.filled(new Uint8Array(POOL_PAGES * bytes)));
    using kernel = backend.load(backend.compile(new Array<Move>(3).fill(pageMove(bytes)), conditions(KINDS)));
    using plan = kernel.bind(sources.map((source, i) => binding(bytes, source, targets[i] as Buffer, tables)));
    expect(() => {
      plan.run().wait();
    }).toThrow("entry 5 of a displacement table");
    const right = { ...tables, to: [0, 6, 2, -1, 7, -1, 4] };
    targets.forEach((target, i) =>
      expect(pools.device.read(target, 0, POOL_PAGES * bytes)).toEqual(expected(bytes, i, right)),
    );
  });

  test("moves pages of 656 and of 132 bytes by words of 16, and of 8 put together of two", () => {
    const pools = new Pools();
    const lengths = [656, 132];
    const tables = {
      from: [1],
      to: [2],
      source: pools.table([1], "u32"),
      target: pools.table([2], "u32"),
    };
    const bindings = lengths.map((bytes) => {
      return binding(bytes, pools.pool(bytes, 0), pools.filled(new Uint8Array(POOL_PAGES * bytes)), tables);
    });
    using backend = pools.backend;
    const moves = lengths.map((bytes) => pageMove(bytes));
    using kernel = backend.load(backend.compile(moves, conditions(KINDS)));
    using plan = kernel.bind(bindings);
    plan.run().wait();
    const loads = pools.launched.map((each) => print(each, { arch: 90 }).match(/ld\.global\.nc\.(v2\.)?u(64|32)/g));
    expect(loads.map((found) => [...new Set(found)].sort())).toEqual([["ld.global.nc.u64", "ld.global.nc.v2.u64"]]);
  });

  test("takes other tables for all of them, or keeps those that it has", () => {
    const pools = new Pools();
    const bytes = 64;
    const [from, to] = [[1], [2]];
    const tables = { from, to, source: pools.table(from, "u32"), target: pools.table(to, "u32") };
    const [a, b] = [pools.pool(bytes, 0), pools.pool(bytes, 1)];
    const targets = [0, 1].map(() => pools.filled(new Uint8Array(POOL_PAGES * bytes)));
    const bound = (given: Tables) => [a, b].map((pool, i) => binding(bytes, pool, targets[i] as Buffer, given));
    using backend = pools.backend;
    using kernel = backend.load(backend.compile([pageMove(bytes), pageMove(bytes)], conditions(KINDS)));
    using plan = kernel.bind(bound(tables));
    const others = {
      from: [4],
      to: [5],
      source: pools.table([4], "u32"),
      target: pools.table([5], "u32"),
    };
    const [right, wrong] = bound(others) as [Binding, Binding];
    expect(() => plan.rebindAll?.([right, { ...wrong, count: 2, length: 2 * bytes }])).toThrow(
      "table of the source of move 1: expected 2 entries of 4 bytes within [0, 4), got [0, 8)",
    );
    plan.run().wait();
    expect(pools.device.read(targets[0] as Buffer, 0, POOL_PAGES * bytes)).toEqual(expected(bytes, 0, tables));
    plan.rebindAll?.([right, wrong]);
    plan.run().wait();
    const page = pools.device.read(targets[1] as Buffer, 5 * bytes, bytes);
    expect(page).toEqual(expected(bytes, 1, others).subarray(5 * bytes, 6 * bytes));
  });
});

test.each([
  [144, "device", true],
  [131, "device", true],
  [144, "pinned", false],
  [128, "device", false],
  [656, "device", false],
] as const)("pages of %i bytes of %s memory are read so that they leave L2 first: %s", (bytes, kind, isFirst) => {
  const pools = new Pools();
  const tables = { from: [1], to: [2], source: pools.table([1], "u32"), target: pools.table([2], "u32") };
  const bound = binding(bytes, pools.pool(bytes, 0, kind), pools.filled(new Uint8Array(POOL_PAGES * bytes)), tables);
  using backend = pools.backend;
  using kernel = backend.load(backend.compile([pageMove(bytes)], conditions({ ...KINDS, sourceKind: kind })));
  using plan = kernel.bind([bound]);
  plan.run().wait();
  const text = pools.launched.map((each) => print(each, { arch: 90 })).join("");
  expect(text.includes("ld.global.cs.nc")).toBe(isFirst);
});

describe("other tables of pools that stay", () => {
  const bytes = 528;
  const tablesOf = (pools: Pools, from: readonly number[], to: readonly number[]): Tables => ({
    from,
    to,
    source: pools.table(from, "u32"),
    target: pools.table(to, "u32"),
  });

  test("and other counts are written into the launch; what does not fit is refused, and changes nothing", () => {
    const pools = new Pools();
    const sources = [0, 1, 2].map((seed) => pools.pool(bytes, seed));
    const targets = sources.map(() => pools.filled(new Uint8Array(POOL_PAGES * bytes)));
    const bound = (given: Tables): Binding[] =>
      sources.map((source, i) => binding(bytes, source, targets[i] as Buffer, given));
    using backend = pools.backend;
    using kernel = backend.load(backend.compile(new Array<Move>(3).fill(pageMove(bytes)), conditions(KINDS)));
    const first = tablesOf(pools, [1, 2], [0, 3]);
    using plan = kernel.bind(bound(first));
    plan.run().wait();
    const check = (given: Tables): void => {
      for (const target of targets) pools.device.write(target, 0, new Uint8Array(POOL_PAGES * bytes));
      plan.run().wait();
      targets.forEach((target, i) =>
        expect(pools.device.read(target, 0, POOL_PAGES * bytes)).toEqual(expected(bytes, i, given)),
      );
    };
    check(first);
    for (const given of [
      tablesOf(pools, [4, 5], [1, 2]),
      tablesOf(pools, [7, 6, 5, 4, 3, 2, 1, 0], [0, 1, 2, 3, 4, 5, 6, 7]),
      tablesOf(pools, [3], [3]),
    ]) {
      const given3 = bound(given);
      plan.rebindAll?.(given3);
      // Records may be used again.
      Object.assign(given3[0] as object, { count: 1, length: bytes });
      check(given);
      expect(() => plan.rebindAll?.(bound({ ...given, source: pools.table([], "u32") }))).toThrow(
        "table of the source",
      );
      const short = bound(given);
      expect(() => plan.rebindAll?.([...short.slice(0, 2), { ...(short[2] as Binding), length: 9 * bytes }])).toThrow(
        "range of move 2",
      );
      check(given);
    }
    const last = tablesOf(pools, [2, 1], [4, 5]);
    plan.rebindAll?.(bound(last));
    // One move bound anew by itself keeps the others' latest tables.
    plan.rebind(0, bound(last)[0] as Binding);
    check(last);
  });

  test("are taken by captured plans and by calls", () => {
    const pools = new Pools();
    const [source, target] = [pools.pool(bytes, 0), pools.filled(new Uint8Array(POOL_PAGES * bytes))];
    using backend = pools.backend;
    using kernel = backend.load(backend.compile([pageMove(bytes)], conditions(KINDS)));
    const [one, two] = [tablesOf(pools, [1], [0]), tablesOf(pools, [2, 5], [3, 4])];
    using stream = pools.context.stream();
    const page = (given: Tables, k: number): Uint8Array =>
      pools.device.read(target, (given.to[k] as number) * bytes, bytes);
    const wanted = (given: Tables, k: number): Uint8Array =>
      poolBytes(bytes, 0).subarray((given.from[k] as number) * bytes, ((given.from[k] as number) + 1) * bytes);
    for (const given of [one, two, one]) {
      kernel.call?.([binding(bytes, source, target, given)], stream).wait();
      given.from.forEach((_, k) => expect(page(given, k)).toEqual(wanted(given, k)));
    }
    using plan = kernel.bind([binding(bytes, source, target, one)]);
    using captured = plan.capture?.(stream);
    for (const given of [two, one]) {
      captured?.rebind(0, binding(bytes, source, target, given));
      pools.device.write(target, 0, new Uint8Array(POOL_PAGES * bytes));
      captured?.run(stream).wait();
      expect(pools.device.read(target, 0, POOL_PAGES * bytes)).toEqual(expected(bytes, 0, given));
    }
  });
});

describe("tables of 64-bit entries, and counts, that work before wrote", () => {
  test.each(["device", "pinned"] as const)("are read from %s memory when the work runs", (kind) => {
    const pools = new Pools();
    const bytes = 656;
    const [from, to] = [
      [6, -1, 2, 1],
      [3, 4, 0, 5],
    ];
    const count = pools.filled(new Uint8Array(Uint32Array.of(3).buffer), kind);
    const tables = {
      from,
      to,
      source: pools.table(from, "i64", kind),
      target: pools.table(to, "i64", kind),
      count,
    };
    const [source, target] = [pools.pool(bytes, 3), pools.filled(new Uint8Array(POOL_PAGES * bytes))];
    using backend = pools.backend;
    const known = conditions({ ...KINDS, tableKind: kind, smBudget: 2 });
    using kernel = backend.load(backend.compile([pageMove(bytes, "i64")], known));
    using plan = kernel.bind([binding(bytes, source, target, tables)]);
    plan.run().wait();
    expect(pools.device.read(target, 0, POOL_PAGES * bytes)).toEqual(expected(bytes, 3, tables, 3));
    pools[kind].write(count, 0, new Uint8Array(Uint32Array.of(9).buffer));
    plan.run().wait();
    expect(pools.device.read(target, 0, POOL_PAGES * bytes)).toEqual(expected(bytes, 3, tables));
  });
});

describe("pools of pinned memory", () => {
  test.each([
    ["device", "pinned"],
    ["pinned", "device"],
  ] as const)("are read and written where they lie: %s to %s", (sourceKind, targetKind) => {
    const pools = new Pools();
    const bytes = 1152;
    const [from, to] = [
      [6, 2],
      [3, 7],
    ];
    const tables = { from, to, source: pools.table(from, "u32"), target: pools.table(to, "u32") };
    const source = pools.pool(bytes, 9, sourceKind);
    const target = pools.filled(new Uint8Array(POOL_PAGES * bytes), targetKind);
    using backend = pools.backend;
    using kernel = backend.load(backend.compile([pageMove(bytes)], conditions({ ...KINDS, sourceKind, targetKind })));
    using plan = kernel.bind([binding(bytes, source, target, tables)]);
    plan.run().wait();
    expect(pools[targetKind].read(target, 0, POOL_PAGES * bytes)).toEqual(expected(bytes, 9, tables));
  });

  test("that are pageable instead are refused in a line", () => {
    const { backend } = new Pools();
    expect(backend.supports([pageMove(64)], conditions({ ...KINDS, targetKind: "host" }))).toEqual({
      ok: false,
      reason: "a GPU does not reach host memory: pin it, or copy it",
    });
  });
});

test("a plan that cannot be made leaves nothing pinned", () => {
  const pools = new Pools();
  const bytes = 64;
  const tables = {
    from: [1],
    to: [2],
    source: pools.table([1], "u32"),
    target: pools.table([2], "u32"),
  };
  const [source, target] = [pools.pool(bytes, 0), pools.filled(new Uint8Array(POOL_PAGES * bytes))];
  using backend = pools.backend;
  using kernel = backend.load(backend.compile([pageMove(bytes)], conditions(KINDS)));
  const { libcuda } = pools.context;
  const pinned = new Set<number>();
  const [take, free, load] = [libcuda.cuMemHostAlloc, libcuda.cuMemFreeHost, libcuda.cuModuleLoadDataEx];
  libcuda.cuMemHostAlloc = (out, ...rest) => {
    const result = take.call(libcuda, out, ...rest);
    pinned.add(pinned.size + 1);
    return result;
  };
  let freed = 0;
  libcuda.cuMemFreeHost = (address) => {
    freed++;
    return free.call(libcuda, address);
  };
  libcuda.cuModuleLoadDataEx = () => 2;
  expect(() => kernel.bind([binding(bytes, source, target, tables)])).toThrow("cuModuleLoadData");
  expect([pinned.size > 0, freed]).toEqual([true, pinned.size]);
  libcuda.cuModuleLoadDataEx = load;
  using plan = kernel.bind([binding(bytes, source, target, tables)]);
  plan.run().wait();
  expect(pools.device.read(target, 0, POOL_PAGES * bytes)).toEqual(expected(bytes, 0, tables));
});

describe("threads share an element", () => {
  test.each([
    [1, 8],
    [8, 8],
    [9, 8],
    [32, 8],
    [41, 8],
    [193, 8],
    [577, 8],
    [1536, 8],
    [4096, 8],
    [4096, 1],
    [41, 2],
  ])("of %i words, at most %i in flight: those of a warp ask for words side by side", (words, most) => {
    for (const isOnBus of [false, true]) {
      const { threadsPerElement, unroll, elementsAtOnce } = sharing(words, most, isOnBus);
      expect(unroll * elementsAtOnce).toBeLessThanOrEqual(most);
      expect(unroll === 1 || threadsPerElement >= 32).toBe(true);
      expect(256 % threadsPerElement).toBe(0);
    }
  });

  test("so that few idle in elements that take several rounds", () => {
    expect(sharing(193, 8, false)).toEqual({ threadsPerElement: 32, unroll: 7, elementsAtOnce: 1 });
    expect(sharing(577, 8, false)).toEqual({
      threadsPerElement: 256,
      unroll: 4,
      elementsAtOnce: 1,
    });
    expect(sharing(1536, 8, false)).toEqual({
      threadsPerElement: 256,
      unroll: 6,
      elementsAtOnce: 1,
    });
  });

  test("with two or three words each, where a word is put together of two", () => {
    expect(sharingOfShifted(16, 8, false)).toEqual(sharing(16, 8, false));
    expect(sharingOfShifted(64, 8, false)).toEqual({ threadsPerElement: 32, unroll: 2, elementsAtOnce: 1 });
    expect(sharingOfShifted(512, 8, false)).toEqual({ threadsPerElement: 32, unroll: 3, elementsAtOnce: 1 });
    expect(sharingOfShifted(512, 1, false)).toEqual({ threadsPerElement: 32, unroll: 1, elementsAtOnce: 1 });
    expect(sharingOfShifted(512, 8, true)).toEqual(sharing(512, 8, true));
  });

  test("and read the entries of several short ones at once, but over the bus", () => {
    expect(sharing(32, 8, false)).toEqual({ threadsPerElement: 16, unroll: 1, elementsAtOnce: 4 });
    expect(sharing(32, 1, false)).toEqual({ threadsPerElement: 16, unroll: 1, elementsAtOnce: 1 });
    expect(sharing(32, 8, true)).toEqual({ threadsPerElement: 16, unroll: 1, elementsAtOnce: 1 });
    expect(sharing(41, 8, true)).toEqual({ threadsPerElement: 256, unroll: 1, elementsAtOnce: 1 });
  });
});
