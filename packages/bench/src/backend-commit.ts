import { conditions, packMove, unpackMove, type Backend, type Conditions, type Move } from "@stowage/backend-api";
import { canonicalise, lower, type Datatype } from "@stowage/ir";
import type { Commit, PackDirection } from "./committed-type.js";

/** The move of a datatype in one direction, as an engine would hand it to a backend. */
export function moveOf(datatype: Datatype, direction: PackDirection): Move {
  const layout = canonicalise(lower(datatype));
  return direction === "pack" ? packMove(layout) : unpackMove(layout);
}

/**
 * Makes a function that commits datatypes by a backend alone, without an engine: lower, canonicalise, compile and load.
 * What it commits has plans and no public call. It throws what `Backend.compile` and `load` throw.
 */
export function backendCommit(backend: Backend, given: Partial<Conditions> = {}): Commit {
  return (datatype, direction) => {
    const move = moveOf(datatype, direction);
    const kernel = backend.load(backend.compile([move], conditions(given)));
    return {
      plan: (source, target, count) =>
        kernel.bind([{ source, target, count, first: 0, length: count * move.source.sizeBytes }]),
      [Symbol.dispose]: () => kernel[Symbol.dispose](),
    };
  };
}
