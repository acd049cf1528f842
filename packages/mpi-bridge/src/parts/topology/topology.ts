import { A_BOOLEAN, A_LIST, type Rules } from "../../option-rules.js";

/** The shape of a cartesian communicator. MPI 4.1, section 8.5.1. */
export interface CartOptions {
  /** Whether each dimension is closed to a ring. Default: none is. */
  readonly periods?: readonly boolean[];
  /** Whether ranks may be numbered anew. Default: false. */
  readonly reorder?: boolean;
}

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

/** The same both ways, unless told. Frozen: a communicator keeps them. */
export const neighboursOf = (sources: readonly number[], destinations = sources): Neighbours =>
  Object.freeze({ sources: Object.freeze(sources), destinations: Object.freeze(destinations) });

/** The own edges of a distributed graph (MPI_Dist_graph_create_adjacent). */
export interface GraphOptions {
  readonly sourceWeights?: readonly number[];
  readonly destinationWeights?: readonly number[];
  /** Default: false. */
  readonly reorder?: boolean;
}

export const CART_RULES: Rules<CartOptions> = { periods: A_LIST, reorder: A_BOOLEAN };
export const GRAPH_RULES: Rules<GraphOptions> = {
  sourceWeights: A_LIST,
  destinationWeights: A_LIST,
  reorder: A_BOOLEAN,
};
