/** Where a shift along a dimension comes from and goes to; PROC_NULL past an edge. */
export interface Shift {
  readonly source: number;
  readonly dest: number;
}

/** Whom each rank of a graph sends to and receives from. */
export interface Neighbours {
  readonly sources: readonly number[];
  readonly destinations: readonly number[];
}

/** The neighbours of a rank, alike both ways unless told. Frozen: a communicator keeps them. */
export const neighboursOf = (sources: readonly number[], destinations = sources): Neighbours =>
  Object.freeze({ sources: Object.freeze(sources), destinations: Object.freeze(destinations) });
