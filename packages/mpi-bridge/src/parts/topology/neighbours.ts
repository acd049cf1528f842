/** The ranks that a shift along a dimension comes from and goes to; PROC_NULL past an edge. */
export interface Shift {
  readonly source: number;
  readonly dest: number;
}

/** The ranks that this one receives from and sends to in neighbour collectives, in the order of the parts. */
export interface Neighbours {
  /** The ranks that it receives from. */
  readonly sources: readonly number[];
  /** The ranks that it sends to. */
  readonly destinations: readonly number[];
}

/** The neighbours of a rank, alike both ways unless told. Frozen: a communicator keeps them. */
export const neighboursOf = (sources: readonly number[], destinations = sources): Neighbours =>
  Object.freeze({ sources: Object.freeze(sources), destinations: Object.freeze(destinations) });
