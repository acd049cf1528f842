import "reflect-metadata";
import { BACKEND, unsupported, type Backend } from "@stowage/backend-api";
import { CpuBackend } from "@stowage/backend-cpu";
import { hvector, lower, predefined, resized, vector } from "@stowage/ir";
import { container } from "tsyringe";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createEngine, NoBackendError } from "../src/index.js";

const DOUBLE = predefined("MPI_DOUBLE");
const column = vector(4, 1, 4, DOUBLE);
const matrix = Float64Array.from({ length: 16 }, (_, i) => i);
const CPU = { backends: [new CpuBackend()] };

/** A backend of another name that counts what it compiles. */
function counting(name: string): Backend & { compiled: number } {
  const cpu = new CpuBackend();
  return {
    name,
    compiled: 0,
    supports: (moves, given) => cpu.supports(moves, given),
    predict: (moves, given, profile) => cpu.predict(moves, given, profile),
    compile(moves, given) {
      this.compiled++;
      return cpu.compile(moves, given);
    },
    load: (artifact) => cpu.load(artifact),
  };
}

afterEach(() => vi.unstubAllEnvs());

describe("a committed datatype", () => {
  test("packs a column and unpacks it into a row of canaries", () => {
    using engine = createEngine(CPU);
    const committed = engine.commit(column);
    const packed = new Float64Array(4);
    committed.pack(matrix, packed).wait();
    expect([...packed]).toEqual([0, 4, 8, 12]);
    const restored = new Float64Array(16).fill(-1);
    committed.unpack(packed, restored).wait();
    expect([...restored]).toEqual(Array.from(matrix, (value) => (value % 4 === 0 ? value : -1)));
  });

  test("takes counts, ranges and spans", () => {
    using engine = createEngine(CPU);
    const committed = engine.commit(resized(0, 8, column));
    const transposed = new Float64Array(16);
    committed.pack(matrix, transposed, { count: 4 });
    expect([...transposed.subarray(4, 8)]).toEqual([1, 5, 9, 13]);
    const second = new Float64Array(4);
    const fragment = {
      memory: { kind: "host", sizeBytes: 32, bytes: new Uint8Array(second.buffer) } as const,
      originBytes: -32,
    };
    committed.pack(matrix, fragment, { count: 4, first: 32, length: 32 });
    expect([...second]).toEqual([1, 5, 9, 13]);
  });

  test("is planned once and run many times", () => {
    using engine = createEngine(CPU);
    const packed = new Float64Array(4);
    const source = matrix.slice();
    using plan = engine.commit(column).plan("pack", source, packed);
    plan.run();
    source[4] = 99;
    plan.run();
    expect([...packed]).toEqual([0, 99, 8, 12]);
  });

  test("may be given as a layout", () => {
    using engine = createEngine(CPU);
    expect(engine.commit(lower(column)).layout.sizeBytes).toBe(32);
  });
});

describe("an engine", () => {
  test("compiles equal datatypes once, however they were constructed", () => {
    const backend = counting("own");
    using engine = createEngine({ backends: [backend] });
    engine.commit(column);
    engine.commit(hvector(4, 1, 32, DOUBLE));
    expect(backend.compiled).toBe(2);
  });

  test("takes its kernels with it", () => {
    const engine = createEngine(CPU);
    const committed = engine.commit(column);
    engine[Symbol.dispose]();
    expect(() => committed.pack(matrix, new Float64Array(4))).toThrow(/disposed/);
  });

  test("is made of the backends in the user's container and of Stowage's", () => {
    const own = container.createChildContainer();
    own.register(BACKEND, { useValue: counting("own") });
    using engine = createEngine({ container: own });
    expect(engine.backends.map(({ name }) => name)).toEqual(expect.arrayContaining(["own", "cpu"]));
    expect(engine.commit(column).choice("pack").chosen.name).toBe("own");
  });

  test("uses the backend that an option or the environment names", () => {
    vi.stubEnv("STOWAGE_BACKEND", "cpu");
    using engine = createEngine({ backends: [counting("own"), new CpuBackend()] });
    expect(engine.commit(column).choice("pack").chosen.name).toBe("cpu");
    expect(engine.commit(column, { backend: "own" }).choice("unpack").chosen.name).toBe("own");
  });

  test("says why each backend refused", () => {
    const refusing: Backend = { ...counting("own"), supports: () => unsupported("it is Sunday") };
    using engine = createEngine({ backends: [refusing] });
    expect(() => engine.commit(column)).toThrow(NoBackendError);
    expect(() => engine.commit(column)).toThrow(
      "backend for pack: expected one that supports it, got own: it is Sunday",
    );
  });

  test("names the backends where one that is not there is asked for", () => {
    using engine = createEngine(CPU);
    expect(() => engine.commit(column, { backend: "gpu" })).toThrow("backend: expected one of cpu, got gpu");
  });
});
