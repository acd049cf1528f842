import type { Backend } from "@stowage/backend-api";
import { createEngine } from "@stowage/selector";
import { expectedScatter, requireSameBytes, type Cell } from "./cell.js";
import { formatBytes } from "../print.js";
import type { Contender, Prepared, Refusal } from "./contender.js";

/** A backend of ours on host memory, committed afresh for each cell so that its commit time is real. */
export function engineContender(backend: Backend): Contender {
  return {
    name: backend.name,
    route: "host",
    prepare: (cell) => prepare(backend, cell),
  };
}

const CANARY = 0x5a;

/** Elements may lie this far apart in the memory of a bench: a contender holds two copies of it. */
const MOST_SCATTERED_BYTES = 2 ** 31;

function prepare(backend: Backend, cell: Cell): Prepared | Refusal {
  const { sizeBytes } = cell.pattern;
  if (sizeBytes > MOST_SCATTERED_BYTES) {
    return { reason: `expected elements within ${formatBytes(MOST_SCATTERED_BYTES)}, got ${formatBytes(sizeBytes)}; left out` };
  }
  const commitNs = medianCommitNs(backend, cell);
  const engine = createEngine({ backends: [backend] });
  const committed = engine.commit(cell.datatype);
  const packing = cell.direction === "pack";
  const output = new Uint8Array(packing ? cell.packedBytes : cell.scattered.length).fill(CANARY);
  const scattered = scatteredSpan(cell, packing ? cell.scattered : output);
  const plan = committed.plan(
    cell.direction,
    packing ? scattered : cell.packed,
    packing ? output : scattered,
    { count: cell.count },
  );
  return {
    commitNs,
    run: () => plan.run().wait(),
    verify: () => requireSameBytes(cell, backend.name, packing ? cell.packed : expectedScatter(cell, CANARY), output),
    [Symbol.dispose]: () => {
      plan[Symbol.dispose]();
      engine[Symbol.dispose]();
    },
  };
}

const COMMITS = 9;
const COMMIT_BUDGET_MS = 50;

/** Median time of committing afresh: an engine of its own each time, so that nothing is found in a cache. */
function medianCommitNs(backend: Backend, cell: Cell): number {
  const samples: number[] = [];
  const end = performance.now() + COMMIT_BUDGET_MS;
  while (samples.length < COMMITS && (samples.length === 0 || performance.now() < end)) {
    using engine = createEngine({ backends: [backend] });
    const begin = performance.now();
    engine.commit(cell.datatype);
    samples.push((performance.now() - begin) * 1e6);
  }
  return samples.sort((a, b) => a - b)[Math.floor(samples.length / 2)] as number;
}

const scatteredSpan = (cell: Cell, bytes: Uint8Array) => ({
  memory: { kind: "host", sizeBytes: bytes.length, bytes } as const,
  originBytes: cell.originBytes,
});
