import { describeBackend } from "@stowage/conformance";
import { X64Backend } from "../../src/index.js";
import { probeMachine } from "../../src/memory/machine.js";
import { guardedTestMemory } from "../guarded-memory.js";

// Every launch of more than a byte is shared, at the level that the machine has.
if ("machine" in probeMachine()) {
  const guarded = { scattered: guardedTestMemory(), packed: guardedTestMemory() };
  const options = { runs: Number(process.env["STOWAGE_LAW_RUNS"] ?? 500), ...guarded };
  describeBackend("x64 on 2 threads", () => new X64Backend({ threadsFromBytes: 1 }), {
    ...options,
    conditions: { threads: 2 },
  });
  const looping = () =>
    new X64Backend({ threadsFromBytes: 1, unrollMoves: 2, nonTemporalBytes: 0, prefetchReachBytes: 0 });
  describeBackend("x64 on 3 threads, in loops and by non-temporal stores", looping, {
    ...options,
    conditions: { threads: 3 },
  });
}
