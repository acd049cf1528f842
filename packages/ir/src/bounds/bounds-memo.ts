import type { Bounds, BoundsRule } from "./bounds.js";

/** What boundsOf remembers of one datatype. Kept in the node: a weak map slows down past a million entries. */
export class BoundsMemo {
  readonly #known: Record<BoundsRule, Bounds | undefined> = {
    standard: undefined,
    "open-mpi": undefined,
    mpich: undefined,
  };

  get(rule: BoundsRule): Bounds | undefined {
    return this.#known[rule];
  }

  set(rule: BoundsRule, bounds: Bounds): void {
    this.#known[rule] = bounds;
  }
}
