import type { Backend } from "@stowage/backend-api";
import { createEngine } from "@stowage/selector";
import { expectedScatter, requireSameBytes, type Cell } from "./cell.js";
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

function prepare(backend: Backend, cell: Cell): Prepared | Refusal {
  const engine = createEngine({ backends: [backend] });
  const begin = performance.now();
  const committed = engine.commit(cell.datatype);
  const commitNs = (performance.now() - begin) * 1e6;
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

const scatteredSpan = (cell: Cell, bytes: Uint8Array) => ({
  memory: { kind: "host", sizeBytes: bytes.length, bytes } as const,
  originBytes: cell.originBytes,
});
