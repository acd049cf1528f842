import { conditions, packMove, type Backend } from "@stowage/backend-api";
import { hostContender, type Cell, type Contender } from "@stowage/bench";
import { lower, predefined, vector } from "@stowage/ir";
import type { Engine } from "@stowage/selector";
import { engineCommit } from "./engine-commit.js";

/** Backends that move bytes in the memory of this machine, by name. */
export function hostBackends(engine: Engine): readonly string[] {
  const moves = [packMove(lower(vector(4, 1, 2, predefined("MPI_DOUBLE"))))];
  return engine.backends.filter((backend) => backend.supports(moves, conditions()).ok).map(({ name }) => name);
}

/**
 * The backends that take part in a cell, on one thread and where asked on more. `asked`: names separated by commas,
 * all, or auto for what the engine would choose.
 */
export function hostContenders(engine: Engine, asked: string, threads = 1): (cell: Cell) => readonly Contender[] {
  const contenders = (backend: Backend): readonly Contender[] => {
    // x64 is the only backend that shares a call among threads.
    const counts = threads === 1 || backend.name !== "x64" ? [1] : [1, threads];
    return counts.map((count) => threaded(backend, count));
  };
  if (asked === "auto") return (cell) => contenders(engine.commit(cell.datatype).choice(cell.direction).chosen);
  const names = engine.backends.map(({ name }) => name);
  const wanted = asked === "all" ? hostBackends(engine) : asked.split(",");
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`--backend: expected some of ${names.join(", ")}, got ${unknown}`);
  const chosen = engine.backends.filter(({ name }) => wanted.includes(name)).flatMap(contenders);
  return () => chosen;
}

function threaded(backend: Backend, threads: number): Contender {
  const name = threads === 1 ? backend.name : `${backend.name} (${threads} threads)`;
  return hostContender(name, engineCommit({ backends: [backend] }, { threads }));
}
