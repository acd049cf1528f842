import {
  conditions,
  packMove,
  unpackMove,
  type Backend,
  type Conditions,
  type Plan,
  type Support,
} from "@stowage/backend-api";
import type { DriverMemory } from "@stowage/cuda-driver";
import type { Layout } from "@stowage/ir";
import { backendCommit } from "../backend-commit.js";
import type { Cell } from "../cell/cell.js";
import type { Commit, CommittedType } from "../committed-type.js";
import type { Contender, Prepared } from "../contender.js";
import { ring } from "../ring.js";
import type { CellInput } from "./cell-input.js";
import { prepare } from "./device-run.js";
import type { Gpu } from "./gpu.js";
import { packedOutput, scatteredOutput, type Output } from "./output.js";
import { packedKind, type DeviceRoute, type PackedKind } from "./routes.js";
import { withOutput } from "./with-output.js";

/**
 * How a backend's types are committed for a device: by the backend alone, or through an engine, which has a public call
 * too.
 */
export type CommitBy = (backend: Backend, given: Partial<Conditions>) => Commit;

/**
 * A contender that is a backend on a device's memory, by one route. It does not take part where the backend does not
 * support the cell, or the device has too little memory.
 */
export function backendContender(
  gpu: Gpu,
  input: CellInput,
  backend: Backend,
  route: DeviceRoute,
  commitBy: CommitBy = backendCommit,
): Contender {
  const kind = packedKind(route);
  return {
    name: backend.name,
    route,
    prepare: (cell) => {
      const given = kindsOf(cell.direction, kind);
      const support = supportOf(backend, input.layout, cell.direction, given);
      if (!support.ok) return support;
      const open = () => (cell.direction === "pack" ? packedOutput(gpu, cell, kind) : scatteredOutput(gpu, cell));
      const commit = commitBy(backend, given);
      return withOutput(open, (output) => prepareBackend(gpu, input, backend.name, commit, kind, cell, output));
    },
  };
}

const kindsOf = (direction: Cell["direction"], packed: PackedKind): Partial<Conditions> =>
  direction === "pack" ? { sourceKind: "device", targetKind: packed } : { sourceKind: packed, targetKind: "device" };

function supportOf(
  backend: Backend,
  layout: Layout,
  direction: Cell["direction"],
  given: Partial<Conditions>,
): Support {
  const move = direction === "pack" ? packMove(layout) : unpackMove(layout);
  return backend.supports([move], conditions(given));
}

interface Bound extends Disposable {
  readonly committed: CommittedType;
  readonly plan: Plan;
}

function prepareBackend(
  gpu: Gpu,
  input: CellInput,
  contender: string,
  commit: Commit,
  kind: PackedKind,
  cell: Cell,
  output: Output,
): Prepared {
  const packing = cell.direction === "pack";
  const sides = () => {
    const scattered = span(packing ? input.scattered : output.memory, cell.originBytes);
    const packed = span(packing ? output.memory : input.packed(kind), 0);
    return packing ? ([scattered, packed] as const) : ([packed, scattered] as const);
  };
  const bind = (): Bound => {
    const committed = commit(cell.datatype, cell.direction);
    const plan = committed.plan(...sides(), cell.count);
    return { committed, plan, [Symbol.dispose]: () => (plan[Symbol.dispose](), committed[Symbol.dispose]()) };
  };
  // What the driver has compiled by then stays compiled.
  const bound = bind();
  const { committed, plan } = bound;
  const next = ring(sides);
  return prepare(gpu, {
    contender,
    commit: bind,
    output,
    send: () => plan.run(gpu.stream),
    ...(committed.call === undefined
      ? {}
      : {
          call: () => {
            const [source, target] = next();
            committed.call?.(source, target, cell.count, gpu.stream).wait();
          },
        }),
    [Symbol.dispose]: () => bound[Symbol.dispose](),
  });
}

const span = (memory: DriverMemory, originBytes: number) => ({ memory, originBytes });
