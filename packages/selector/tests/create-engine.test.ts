import "reflect-metadata";
import { BACKEND, conditions, packMove, type Backend } from "@stowage/backend-api";
import { CpuBackend } from "@stowage/backend-cpu";
import { openSimulatedCuda } from "@stowage/cuda-driver";
import { ArgumentError, canonicalise, lower, predefined, StowageError, vector } from "@stowage/ir";
import { isRoute } from "@stowage/routes";
import * as fc from "fast-check";
import { container } from "tsyringe";
import { afterEach, describe, expect, test, vi } from "vitest";
import { wrongArgument } from "../../engine/tests/wrong-arguments.js";
import { createEngine } from "../src/index.js";

const column = vector(4, 1, 4, predefined("MPI_DOUBLE"));

/** The interpreter under another name. */
function called(name: string, runNs?: number): Backend {
  const cpu = new CpuBackend();
  return {
    name,
    supports: (moves, given) => cpu.supports(moves, given),
    ...(runNs === undefined ? {} : { predict: () => ({ commitNs: 1, runNs }) }),
    compile: (moves, given) => cpu.compile(moves, given),
    load: (artifact) => cpu.load(artifact),
  };
}

afterEach(() => vi.unstubAllEnvs());

describe("createEngine", () => {
  test("a backend of the user's own takes part by what it predicts", () => {
    for (const [runNs, taken] of [
      [1, true],
      [1e15, false],
    ] as const) {
      const own = container.createChildContainer();
      own.register(BACKEND, { useValue: called("own", runNs) });
      using engine = createEngine({ container: own });
      expect(engine.commit(column).choice("pack").chosen.name === "own").toBe(taken);
    }
  });

  test("takes backends in the user's container that predict nothing before Stowage's", () => {
    const own = container.createChildContainer();
    own.register(BACKEND, { useValue: called("own") });
    using engine = createEngine({ container: own });
    expect(engine.backends.map(({ name }) => name)).toEqual(expect.arrayContaining(["own", "cpu"]));
    expect(engine.commit(column).choice("pack").chosen.name).toBe("own");
  });

  test("offers every route, and takes one from a device to the host", () => {
    using engine = createEngine({ cuda: openSimulatedCuda });
    const routes = engine.backends.filter(isRoute).map(({ name }) => name);
    expect(routes).toHaveLength(13);
    const onHost = engine.commit(column).choice("pack").candidates;
    expect(onHost.filter(({ backend, support }) => isRoute(backend) && support.ok)).toEqual([]);
    for (const [packed, able] of [
      ["pinned", ["one-shot/cuda-strided", "device/dma", "pipelined/cuda-generic"]],
      ["host", ["staged/cuda-strided", "pipelined/dma", "bulk/x64"]],
    ] as const) {
      const { chosen, candidates } = engine.choiceFor(
        [packMove(canonicalise(lower(column)))],
        conditions({ sourceKind: "device", targetKind: packed }),
      );
      const takers = candidates.filter(({ support }) => support.ok).map(({ backend }) => backend.name);
      expect(takers).toEqual(expect.arrayContaining([...able]));
      expect(takers).toContain(chosen.name);
    }
  });

  test("uses the backend that an option or the environment names", () => {
    vi.stubEnv("STOWAGE_BACKEND", "cpu");
    const backends = [called("own"), new CpuBackend()];
    using engine = createEngine({ backends });
    expect(engine.commit(column).choice("pack").chosen.name).toBe("cpu");
    expect(engine.commit(column, { backend: "own" }).choice("unpack").chosen.name).toBe("own");
    using other = createEngine({ backends, backend: "own" });
    expect(other.commit(column).choice("pack").chosen.name).toBe("own");
    vi.stubEnv("STOWAGE_BACKEND", "");
    using free = createEngine({ backends });
    expect(free.commit(column).choice("pack").chosen.name).toBe("own");
  });

  test("names the backends where one that is not there is asked for", () => {
    expect(() => createEngine({ backend: "zzz" })).toThrow(ArgumentError);
    expect(() => createEngine({ backend: "zzz" })).toThrow(
      "backend: expected one of cpu, x64, llvm, cuda-generic, cuda-generic-specialised, cuda-strided, dma, one-shot/cuda-",
    );
    expect(() => createEngine({ backend: "zzz" })).toThrow(/, pipelined\/dma, bulk\/x64, got zzz$/);
    vi.stubEnv("STOWAGE_BACKEND", "nosuch");
    expect(() => createEngine()).toThrow("STOWAGE_BACKEND: expected one of cpu, x64, llvm, cuda-generic");
  });

  test.each([
    [null, "engine options: expected an object, got null"],
    [
      { Backend: "cpu" },
      'engine options: expected some of backends, container, backend, cuda, cudaTuning, x64Options, profile, learn, unusedKernels, got "Backend"',
    ],
    [{ backend: 5 }, "engine options: backend: expected a string, got 5"],
    [{ backends: "cpu" }, 'engine options: backends: expected a list of backends, got "cpu"'],
    [{ backends: ["cpu"] }, "engine settings: backends: expected a list of backends, got a list of 1"],
    [{ cuda: {} }, "engine options: cuda: expected a function, got an object"],
    [{ container: [] }, "engine options: container: expected a container of tsyringe, got a list of 0"],
    [{ unusedKernels: 0.5 }, "engine settings: unusedKernels: expected an integer of 0 or more, got 0.5"],
  ])("refuses the options %o", (options, message) => {
    expect(() => createEngine(options as never)).toThrow(ArgumentError);
    expect(() => createEngine(options as never)).toThrow(message);
  });

  test("x64 lowers as its options say, and refuses those that it has not", () => {
    const move = packMove(lower(vector(9, 1, 3, predefined("MPI_DOUBLE"))));
    const keyAt = (level: "sse2" | "avx2"): string | undefined => {
      const engine = createEngine({ x64Options: { level } });
      try {
        return engine.backends.find(({ name }) => name === "x64")?.compile([move], conditions()).key;
      } finally {
        engine[Symbol.dispose]();
      }
    };
    expect(keyAt("sse2")).not.toBe(keyAt("avx2"));
    expect(() => createEngine({ x64Options: { maskedTails: true } as never })).toThrow(
      /options of x64: .*"maskedTails"/,
    );
  });

  test("tells of a profile that was asked for and is not there when it is created", () => {
    expect(() => createEngine({ profile: "/nowhere/profile.json" })).toThrow(
      "profile /nowhere/profile.json: expected a file, got none",
    );
    vi.stubEnv("STOWAGE_PROFILE", "/nowhere/other.json");
    try {
      expect(() => createEngine()).toThrow("profile /nowhere/other.json: expected a file, got none");
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test("refuses wrong options by StowageErrors alone", () => {
    const names = [
      "backends",
      "container",
      "backend",
      "cuda",
      "cudaTuning",
      "x64Options",
      "profile",
      "learn",
      "unusedKernels",
    ];
    const options = fc.oneof(wrongArgument(), fc.dictionary(fc.constantFrom(...names), wrongArgument()));
    fc.assert(
      fc.property(options, (given) => {
        try {
          createEngine(given as never)[Symbol.dispose]();
        } catch (error) {
          if (!(error instanceof StowageError)) throw error;
        }
      }),
      { seed: Number(process.env["STOWAGE_SEED"] ?? 20_261_122), numRuns: 300 },
    );
  });
});
