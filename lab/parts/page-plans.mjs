// Ours among the contenders of a copy of pages: plans of a backend by tables, and what an engine chooses.
import { conditions, copyMove, hostMemory, tabledMove } from "@stowage/backend-api";
import { createEngine } from "@stowage/selector";
import { buffer, checkPages, onDevice } from "./page-cells.mjs";

/** A call with its wait that leaves the pages in the target; `held` is given back, the last first. */
export const pageEntrant = (cell, name, run, held = []) => ({
  run,
  check: () => checkPages(cell, name, run),
  [Symbol.dispose]: () => held.toReversed().forEach((each) => each[Symbol.dispose]()),
});

/** Moves of a cell and what binds them, with tables where `kind` says. */
function boundMoves(cell, index, kind) {
  const { gpu, groups, sides, memory, pools, placed, count, from, to } = cell;
  const listed = (pages) => (index === "u32" ? pages : BigInt64Array.from(pages, BigInt));
  const span = (pages) => ({
    memory: kind === "host" ? hostMemory(listed(pages)) : onDevice(gpu, listed(pages)),
    originBytes: 0,
  });
  const tables = {
    ...(placed === "target" ? {} : { source: span(from) }),
    ...(placed === "source" ? {} : { target: span(to) }),
  };
  const moves = pools.source.map(({ group }) => {
    const table = (side) => ({ [side]: { index, strideBytes: groups[group][side].strideBytes } });
    return tabledMove(copyMove(sides[group].source, sides[group].target), {
      ...(placed === "target" ? {} : table("source")),
      ...(placed === "source" ? {} : table("target")),
    });
  });
  const bindings = pools.source.map((pool, i) => ({
    source: { memory: buffer(memory.source, pool), originBytes: 0 },
    target: { memory: buffer(memory.target, pools.target[i]), originBytes: 0 },
    count,
    first: 0,
    length: count * sides[pool.group].source.sizeBytes,
    tables,
  }));
  return { moves, bindings, held: kind === "host" ? [] : Object.values(tables).map((each) => each.memory) };
}

/** A plan of a backend, and what it is made of. */
export function planned(cell, backend, index = "u32", tableKind = "device") {
  const { moves, bindings, held } = boundMoves(cell, index, tableKind);
  const { source, target } = cell.memory;
  const known = conditions({ sourceKind: source.kind, targetKind: target.kind, tableKind });
  const kernel = backend.load(backend.compile(moves, known));
  const plan = kernel.bind(bindings);
  return { plan, held: [...held, backend, kernel, plan] };
}

/** One side of a cell's group as an engine's pages take it. */
const sideOf = ({ groups, memory, pools }, name, g) => ({
  bases: pools[name].filter(({ group }) => group === g).map((pool) => buffer(memory[name], pool)),
  strideBytes: groups[g][name].strideBytes,
});

/** Pages committed by an engine of all backends. */
export function committedPages(cell, options) {
  const engine = createEngine({ cuda: () => cell.gpu.driver });
  const groups = cell.groups.map(({ page }, g) => ({
    ...{ page, source: sideOf(cell, "source", g), target: sideOf(cell, "target", g) },
  }));
  return { engine, pages: engine.commitPages({ groups, index: "u32", ...options }) };
}

/** The way that an engine takes of all backends, for tables of the host. */
export function chosenWay(cell) {
  const { engine, pages } = committedPages(cell, { mostPages: cell.count });
  const plan = pages.bind({ sourcePages: cell.from, targetPages: cell.to });
  const { name } = pages.choice.chosen;
  return { [`chosen: ${name}`]: pageEntrant(cell, name, () => plan.run(cell.gpu.stream).wait(), [engine, plan]) };
}
