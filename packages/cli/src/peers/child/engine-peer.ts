import { hostMemory, type Plan, type Span } from "@stowage/backend-api";
import type { Datatype } from "@stowage/ir";
import { createEngine, type Engine } from "@stowage/selector";
import type { Created } from "../protocol.js";
import {
  fragmentBytesOf,
  fragmentName,
  fragments,
  targetOf,
  type CellMemory,
  type Fragment,
  type OpenCell,
  type Peer,
} from "./peer.js";
import { recreate } from "./recreate.js";

/** Stowage itself: one backend by name, or "auto" for the engine's own choice. */
export function enginePeer(backend: string): Peer {
  return {
    name: backend,
    open: (cell) => open(backend, cell),
    create: (datatype) => create(backend, datatype),
    [Symbol.dispose]: () => undefined,
  };
}

const newEngine = (backend: string): Engine => createEngine(backend === "auto" ? {} : { backend });

function open(backend: string, cell: CellMemory): OpenCell {
  const engine = newEngine(backend);
  const committed = engine.commit(cell.datatype);
  const name = committed.choice(cell.direction).chosen.name;
  const scattered: Span = { memory: hostMemory(cell.scattered), originBytes: cell.originBytes };
  const packed: Span = { memory: hostMemory(cell.packed), originBytes: 0 };
  const [from, to] = cell.direction === "pack" ? [scattered, packed] : [packed, scattered];
  const planOf = (piece: Fragment): Plan => committed.plan(cell.direction, from, to, { count: cell.count, ...piece });
  const target = targetOf(cell);
  const whole = planOf({ first: 0, length: cell.packedBytes });
  const pieceBytes = fragmentBytesOf(cell);
  const pieces = pieceBytes === undefined ? [] : fragments(cell.packedBytes, pieceBytes).map(planOf);
  const runPieces = (): void => {
    for (const plan of pieces) plan.run().wait();
  };
  const inPieces = pieceBytes === undefined ? [] : [{ name: fragmentName(name, pieceBytes), target, run: runPieces }];
  return {
    variants: [{ name, target, run: () => whole.run().wait() }, ...inPieces],
    refusals: [],
    [Symbol.dispose]: () => {
      for (const plan of [whole, ...pieces]) plan[Symbol.dispose]();
      engine[Symbol.dispose]();
    },
  };
}

/** In a new engine, which has compiled nothing yet. */
function create(backend: string, datatype: Datatype): Created["times"] {
  const engine = newEngine(backend);
  const start = performance.now();
  const created = recreate(datatype);
  const made = performance.now();
  engine.commit(created);
  const committed = performance.now();
  engine[Symbol.dispose]();
  const freed = performance.now();
  return { createNs: (made - start) * 1e6, commitNs: (committed - made) * 1e6, freeNs: (freed - committed) * 1e6 };
}
