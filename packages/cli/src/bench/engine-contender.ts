import type { Backend } from "@stowage/backend-api";
import { createEngine } from "@stowage/selector";
import { expectedScatter, requireSameBytes, type Cell } from "./cell.js";
import { formatBytes } from "../print.js";
import type { Contender, Prepared, Refusal } from "./contender.js";

/** A backend of ours on host memory, committed afresh for each cell so that its commit time is real. */
export function engineContender(backend: Backend, threads = 1): Contender {
  const name = threads === 1 ? backend.name : `${backend.name} (${threads} threads)`;
  return { name, route: "host", prepare: (cell) => prepare(name, backend, threads, cell) };
}

const CANARY = 0x5a;

/** Elements may lie this far apart in the memory of a bench: a contender holds two copies of it. */
const MOST_SCATTERED_BYTES = 2 ** 31;

function prepare(name: string, backend: Backend, threads: number, cell: Cell): Prepared | Refusal {
  const { sizeBytes } = cell.pattern;
  if (sizeBytes > MOST_SCATTERED_BYTES) {
    return {
      reason: `expected elements within ${formatBytes(MOST_SCATTERED_BYTES)}, got ${formatBytes(sizeBytes)}; left out`,
    };
  }
  const commitNs = medianCommitNs(backend, threads, cell);
  const engine = createEngine({ backends: [backend] });
  const committed = engine.commit(cell.datatype, { threads });
  const packing = cell.direction === "pack";
  const output = new Uint8Array(packing ? cell.packedBytes : cell.scattered.length).fill(CANARY);
  const scattered = scatteredSpan(cell, packing ? cell.scattered : output);
  const plan = committed.plan(cell.direction, packing ? scattered : cell.packed, packing ? output : scattered, {
    count: cell.count,
  });
  return {
    commitNs,
    run: () => plan.run().wait(),
    verify: () => requireSameBytes(cell, name, packing ? cell.packed : expectedScatter(cell, CANARY), output),
    [Symbol.dispose]: () => {
      plan[Symbol.dispose]();
      engine[Symbol.dispose]();
    },
  };
}

const COMMITS = 9;
const COMMIT_BUDGET_MS = 50;

/** Median time of committing afresh: an engine of its own each time, so that nothing is found in a cache. */
function medianCommitNs(backend: Backend, threads: number, cell: Cell): number {
  const samples: number[] = [];
  const end = performance.now() + COMMIT_BUDGET_MS;
  while (samples.length < COMMITS && (samples.length === 0 || performance.now() < end)) {
    using engine = createEngine({ backends: [backend] });
    const begin = performance.now();
    engine.commit(cell.datatype, { threads });
    samples.push((performance.now() - begin) * 1e6);
  }
  return samples.sort((a, b) => a - b)[Math.floor(samples.length / 2)] as number;
}

const scatteredSpan = (cell: Cell, bytes: Uint8Array) => ({
  memory: { kind: "host", sizeBytes: bytes.length, bytes } as const,
  originBytes: cell.originBytes,
});
