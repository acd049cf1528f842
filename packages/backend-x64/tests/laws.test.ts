import type { Backend } from "@stowage/backend-api";
import { describeBackend } from "@stowage/conformance";
import { expect, test } from "vitest";
import { runsOn, type FeatureLevel } from "../src/feature-level.js";
import { FEATURE_LEVELS, X64Backend } from "../src/index.js";
import { probeMachine } from "../src/memory/machine.js";
import { guardedTestMemory } from "./guarded-memory.js";

const probed = probeMachine();
const machine = "machine" in probed ? probed.machine.level : undefined;

const RUNS = Number(process.env["STOWAGE_LAW_RUNS"] ?? 1000);

/**
 * Every artifact is loaded, but what runs are the kernels of who wants none: their code is written as calls need it.
 */
function withoutArtifacts(level: FeatureLevel): Backend {
  const backend = new X64Backend({ level });
  return {
    name: backend.name,
    supports: (...asked) => backend.supports(...asked),
    predict: (...asked) => backend.predict(...asked),
    variant: (...asked) => backend.variant(...asked),
    compile: (...asked) => backend.compile(...asked),
    load(artifact) {
      backend.load(artifact)[Symbol.dispose]();
      return backend.kernel(artifact.moves, artifact.conditions);
    },
  };
}

// Suites of 1,000 cases a law make 2,000 and more at each level.
for (const level of FEATURE_LEVELS.filter((each) => machine !== undefined && runsOn(each, machine))) {
  const guarded = { scattered: guardedTestMemory(), packed: guardedTestMemory() };
  describeBackend(`x64 at ${level}`, () => new X64Backend({ level }), {
    runs: RUNS,
  });
  // Loops, tables in the order of addresses and calls where the default would write small layouts out.
  const looping = () => new X64Backend({ level, unrollMoves: 2, prefetchReachBytes: 0, sortReachBytes: 0 });
  describeBackend(`x64 at ${level}, in loops`, looping, {
    runs: RUNS,
    conditions: { reuse: Infinity },
    ...guarded,
  });
  describeBackend(`x64 at ${level}, without artifacts`, () => withoutArtifacts(level), {
    runs: Math.ceil(RUNS / 4),
    ...guarded,
  });
}

test.skipIf(machine === "avx512")(
  "levels that this processor lacks are refused with the reason, and not tested here",
  () => {
    const support = new X64Backend({ level: "avx512" }).supports([], {
      sourceKind: "host",
      targetKind: "host",
      sourceAlignment: 1,
      targetAlignment: 1,
      count: "any",
      threads: 1,
    });
    expect(support).toMatchObject({ ok: false, reason: expect.stringContaining("avx512") as string });
  },
);
