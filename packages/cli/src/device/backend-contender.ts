import { conditions, packMove, unpackMove, type Backend, type Plan, type Support } from "@stowage/backend-api";
import type { DriverMemory } from "@stowage/cuda-driver";
import type { Layout } from "@stowage/ir";
import { createEngine, type Engine } from "@stowage/selector";
import type { Cell } from "../bench/cell.js";
import type { Contender, Prepared } from "../bench/contender.js";
import { summarise } from "../bench/sample.js";
import type { CellInput } from "./cell-input.js";
import { prepare } from "./device-run.js";
import type { Gpu } from "./gpu.js";
import { packedOutput, scatteredOutput, type Output } from "./output.js";
import { packedKind, type DeviceRoute, type PackedKind } from "./routes.js";
import { withOutput } from "./with-output.js";

/** A backend of ours on a device's memory, by one route. */
export function backendContender(gpu: Gpu, input: CellInput, backend: Backend, route: DeviceRoute): Contender {
  const kind = packedKind(route);
  return {
    name: backend.name,
    route,
    prepare: (cell) => {
      const support = supportOf(backend, input.layout, cell.direction, kind);
      if (!support.ok) return support;
      const open = () => (cell.direction === "pack" ? packedOutput(gpu, cell, kind) : scatteredOutput(gpu, cell));
      return withOutput(open, (output) => prepareBackend(gpu, input, backend, kind, cell, output));
    },
  };
}

function supportOf(backend: Backend, layout: Layout, direction: Cell["direction"], packed: PackedKind): Support {
  return direction === "pack"
    ? backend.supports([packMove(layout)], conditions({ sourceKind: "device", targetKind: packed }))
    : backend.supports([unpackMove(layout)], conditions({ sourceKind: packed, targetKind: "device" }));
}

interface Committing {
  readonly engine: Engine;
  readonly plan: Plan;
}

function prepareBackend(
  gpu: Gpu,
  input: CellInput,
  backend: Backend,
  kind: PackedKind,
  cell: Cell,
  output: Output,
): Prepared {
  const packing = cell.direction === "pack";
  const scattered = span(packing ? input.scattered : output.memory, cell.originBytes);
  const packed = span(packing ? output.memory : input.packed(kind), 0);
  const commit = (): Committing => {
    const engine = createEngine({ backends: [backend] });
    const [from, to] = packing ? [scattered, packed] : [packed, scattered];
    const committed = engine.commit(cell.datatype, { memory: "device", packedMemory: kind });
    return { engine, plan: committed.plan(cell.direction, from, to, { count: cell.count }) };
  };
  const commitNs = medianCommitNs(commit);
  const committing = commit();
  return prepare(gpu, {
    contender: backend.name,
    commitNs,
    output,
    send: () => committing.plan.run(gpu.stream),
    [Symbol.dispose]: () => release(committing),
  });
}

const span = (memory: DriverMemory, originBytes: number) => ({ memory, originBytes });

function release({ engine, plan }: Committing): void {
  plan[Symbol.dispose]();
  engine[Symbol.dispose]();
}

const COMMITS = 5;
const COMMIT_BUDGET_MS = 50;

/** Median time of committing and binding afresh; what the driver has compiled by then stays compiled. */
function medianCommitNs(commit: () => Committing): number {
  const samples: number[] = [];
  const end = performance.now() + COMMIT_BUDGET_MS;
  while (samples.length < COMMITS && (samples.length === 0 || performance.now() < end)) {
    const begin = performance.now();
    const committing = commit();
    samples.push((performance.now() - begin) * 1e6);
    release(committing);
  }
  return summarise(samples).medianNs;
}
