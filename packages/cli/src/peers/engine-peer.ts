import type { Plan } from "@stowage/backend-api";
import {
  fragmentBytesOf,
  fragmentName,
  fragments,
  recreate,
  ring,
  sidesOf,
  targetOf,
  type CellMemory,
  type Created,
  type Fragment,
  type OpenCell,
  type Peer,
  type Sides,
  type Variant,
} from "@stowage/bench/peers";
import type { Datatype } from "@stowage/ir";
import { createEngine, type Committed, type Engine } from "@stowage/selector";

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
  const target = targetOf(cell);
  const sides = sidesOf(cell.direction, cell.scattered, cell.originBytes, cell.packed);
  const [from, to] = sides.spans();
  const planOf = (piece: Fragment): Plan => committed.plan(cell.direction, from, to, { count: cell.count, ...piece });
  const bound = planOf({ first: 0, length: cell.packedBytes });
  const runs = { bound: () => bound.run().wait(), call: caller(committed, cell, sides) };
  const variants = cell.modes.map((mode): Variant => ({ name, mode, target, run: runs[mode] }));
  const pieceBytes = fragmentBytesOf(cell);
  const pieces = pieceBytes === undefined ? [] : fragments(cell.packedBytes, pieceBytes).map(planOf);
  const run = (): void => {
    for (const plan of pieces) plan.run().wait();
  };
  if (pieceBytes !== undefined) variants.push({ name: fragmentName(name, pieceBytes), mode: "bound", target, run });
  return {
    variants,
    refusals: [],
    [Symbol.dispose]: () => {
      for (const plan of [bound, ...pieces]) plan[Symbol.dispose]();
      engine[Symbol.dispose]();
    },
  };
}

/** The public call, with other views each time. */
function caller(committed: Committed, { count, direction }: CellMemory, { given }: Sides): () => void {
  const next = ring(given);
  if (direction === "pack")
    return () => {
      const [source, target] = next();
      committed.pack(source, target, { count }).wait();
    };
  return () => {
    const [source, target] = next();
    committed.unpack(source, target, { count }).wait();
  };
}

/** In a new engine, which has compiled nothing yet. */
function create(backend: string, datatype: Datatype): Created["times"] {
  const engine = newEngine(backend);
  const start = performance.now();
  const created = recreate(datatype);
  const made = performance.now();
  engine.commit(created).compile();
  const committed = performance.now();
  engine[Symbol.dispose]();
  const freed = performance.now();
  return { createNs: (made - start) * 1e6, commitNs: (committed - made) * 1e6, freeNs: (freed - committed) * 1e6 };
}
