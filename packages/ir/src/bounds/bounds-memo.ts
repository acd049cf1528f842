import type { Bounds, Padding } from "./bounds.js";

/** What boundsOf remembers of one datatype. Kept in the node: a weak map slows down past a million entries. */
export class BoundsMemo {
  readonly #known: Record<Padding, Bounds | undefined> = { struct: undefined, "open-mpi": undefined, none: undefined };

  get(padding: Padding): Bounds | undefined {
    return this.#known[padding];
  }

  set(padding: Padding, bounds: Bounds): void {
    this.#known[padding] = bounds;
  }
}
