import { unsupported, type Backend } from "@stowage/backend-api";
import { CpuBackend } from "@stowage/backend-cpu";
import { ArgumentError, hvector, predefined, vector } from "@stowage/ir";
import { describe, expect, test } from "vitest";
import { Engine, NoBackendError, type Choose } from "../src/index.js";
import { CountingBackend } from "./counting-backend.js";

const DOUBLE = predefined("MPI_DOUBLE");
const column = vector(4, 1, 4, DOUBLE);
const matrix = Float64Array.from({ length: 16 }, (_, i) => i);
const packed = new Float64Array(4);

describe("an engine", () => {
  test("refuses two backends of one name, and a count that is no integer by its own name", () => {
    expect(() => new Engine({ backends: [new CpuBackend(), new CpuBackend()] })).toThrow(
      "engine settings: backends: expected names that differ, got cpu twice",
    );
    using engine = new Engine({ backends: [new CpuBackend()] });
    expect(() => engine.commit("MPI_DOUBLE").pack(matrix, packed, { count: 1.5, first: 32 })).toThrow(
      "count of move 0: expected an integer from 0 to 2^53 - 1, got 1.5",
    );
  });

  test("compiles a direction when it is first used, and equal datatypes once", () => {
    const backend = new CountingBackend();
    using engine = new Engine({ backends: [backend] });
    const committed = engine.commit(column);
    expect(committed.choice("pack").chosen).toBe(backend);
    expect(backend.compiled).toBe(0);
    committed.pack(matrix, packed);
    expect(backend.compiled).toBe(1);
    engine.commit(hvector(4, 1, 32, DOUBLE)).pack(matrix, packed);
    expect(backend.compiled).toBe(1);
    expect(committed.explain("unpack")).toContain("VECTOR");
    expect(backend.compiled).toBe(2);
  });

  test("compiles equal datatypes again only where a backend says that the expected calls change its code", () => {
    const variant: Backend["variant"] = (_, { reuse = 0 }) => (reuse >= 100 ? "-often" : "");
    for (const [backend, compiled] of [
      [new CountingBackend(), 1],
      [Object.assign(new CountingBackend(), { variant }), 2],
    ] as const) {
      using engine = new Engine({ backends: [backend] });
      for (const reuse of [undefined, 99, 100, Infinity])
        engine.commit(column, reuse === undefined ? {} : { reuse }).pack(matrix, packed);
      expect(backend.compiled).toBe(compiled);
    }
  });

  test("compiles ahead where it is asked to", () => {
    const backend = new CountingBackend();
    using engine = new Engine({ backends: [backend] });
    const committed = engine.commit(column);
    committed.compile("unpack");
    expect(backend.compiled).toBe(1);
    committed.compile();
    engine.commitCopy(column, column).compile();
    expect(backend.compiled).toBe(3);
  });

  test("takes the first backend that supports a datatype", () => {
    const refusing = Object.assign(new CountingBackend("shy"), { supports: () => unsupported("it is Sunday") });
    using engine = new Engine({ backends: [refusing, new CountingBackend("first"), new CountingBackend("second")] });
    const { chosen, reason, candidates } = engine.commit(column).choice("pack");
    expect([chosen.name, reason]).toEqual(["first", "the first that supports it"]);
    expect(candidates.map(({ support }) => support.ok)).toEqual([false, true, true]);
  });

  test("chooses as it is told", () => {
    const last: Choose = (backends) => ({ chosen: backends.at(-1) as Backend, reason: "the last", candidates: [] });
    using engine = new Engine({
      backends: [new CountingBackend("first"), new CountingBackend("second")],
      choose: last,
    });
    expect(engine.commit(column).choice("unpack").chosen.name).toBe("second");
  });

  test("uses the backend that is forced, and before it the one that a commit names", () => {
    using engine = new Engine({ backends: [new CountingBackend("own"), new CpuBackend()], forced: "cpu" });
    expect(engine.commit(column).choice("pack").chosen.name).toBe("cpu");
    expect(engine.commit(column, { backend: "own" }).choice("unpack").chosen.name).toBe("own");
  });

  test("says at commit why each backend refused", () => {
    const refusing = Object.assign(new CountingBackend(), { supports: () => unsupported("it is Sunday") });
    using engine = new Engine({ backends: [refusing] });
    expect(() => engine.commit(column)).toThrow(NoBackendError);
    expect(() => engine.commit(column)).toThrow(
      "backend for pack: expected one that supports it, got own: it is Sunday",
    );
  });
});

describe("settings and options are checked strictly", () => {
  test.each([
    [null, "engine settings: expected an object, got null"],
    [{}, "engine settings: expected backends, got none"],
    [{ backends: [{ name: "x" }] }, "engine settings: backends: expected a list of backends, got a list of 1"],
    [
      { backends: [], chose: 1 },
      'engine settings: expected some of backends, choose, forced, observer, owned, unusedKernels, got "chose"',
    ],
    [{ backends: [new CpuBackend()], forced: "zzz" }, "forced backend: expected one of cpu, got zzz"],
    [{ backends: [], unusedKernels: -1 }, "engine settings: unusedKernels: expected an integer of 0 or more, got -1"],
  ])("settings %o", (settings, message) => {
    expect(() => new Engine(settings as never)).toThrow(ArgumentError);
    expect(() => new Engine(settings as never)).toThrow(message);
  });

  test.each([
    [{ alignment: 3 }, "commit options: alignment: expected a power of two, got 3"],
    [{ count: -1 }, 'commit options: count: expected an integer of 0 or more, or "any", got -1'],
    [{ threads: 1e6 }, "commit options: threads: expected an integer from 1 to 1024, got 1000000"],
    [{ threads: 0 }, "commit options: threads: expected an integer from 1 to 1024, got 0"],
    [{ smBudget: 0.5 }, "commit options: smBudget: expected an integer of 1 or more, got 0.5"],
    [{ stores: "past" }, 'commit options: stores: expected one of temporal, streaming, got "past"'],
    [{ memory: "gpu" }, 'commit options: memory: expected one of host, pinned, device, managed, got "gpu"'],
    [{ backend: "gpu" }, "backend: expected one of cpu, got gpu"],
    [{ Count: 1 }, "commit options: expected some of memory, packedMemory, alignment, count, smBudget"],
    [null, "commit options: expected an object, got null"],
    [[], "commit options: expected an object, got a list of 0"],
  ])("commit options %o", (options, message) => {
    using engine = new Engine({ backends: [new CpuBackend()] });
    expect(() => engine.commit(column, options as never)).toThrow(ArgumentError);
    expect(() => engine.commit(column, options as never)).toThrow(message);
  });

  test("an option that is undefined counts as absent", () => {
    using engine = new Engine({ backends: [new CpuBackend()] });
    engine.commit(column, { alignment: undefined, backend: undefined } as object).pack(matrix, packed);
  });

  test("options of copies", () => {
    using engine = new Engine({ backends: [new CpuBackend()] });
    const copy = (options: unknown) => engine.copy(matrix, column, packed, column, options as never);
    expect(() => copy({ elements: 1 })).toThrow("copy options: expected some of fromMemory");
    expect(() => copy({ fromAlignment: 6 })).toThrow("copy options: fromAlignment: expected a power of two, got 6");
    expect(() => engine.commitCopy(column, column, { queue: 1 } as never)).toThrow('got "queue"');
  });
});
