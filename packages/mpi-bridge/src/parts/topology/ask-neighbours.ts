import type { Native } from "../../native/native.js";
import { ints } from "../../native/words.js";
import { neighboursOf, type Neighbours, type Shift } from "./neighbours.js";

/** Along each dimension of a grid, the one before and the one behind (MPI 4.1, section 8.6). */
export const cartNeighbours = (grid: {
  readonly dimensions: number;
  shift(dimension: number): Shift;
}): readonly number[] =>
  Array.from({ length: grid.dimensions }, (_, i) => grid.shift(i)).flatMap(({ source, dest }) => [source, dest]);

/** MPI_Graph_neighbors */
export function graphNeighbours(native: Native, comm: number, rank: number): readonly number[] {
  native.call("MPI_Graph_neighbors_count", comm, rank, native.out.address);
  const count = native.out.values[0] as number;
  const list = ints(count);
  native.call("MPI_Graph_neighbors", comm, rank, count, list.address);
  return [...list.values.subarray(0, count)];
}

/** MPI_Dist_graph_neighbors */
export function distNeighbours(native: Native, comm: number): Neighbours {
  const { address, values } = native.out;
  native.call("MPI_Dist_graph_neighbors_count", comm, address, address + 4, address + 8);
  const [inward, outward] = [values[0] as number, values[1] as number];
  const [from, fromWeights, to, toWeights] = [ints(inward), ints(inward), ints(outward), ints(outward)];
  const edgesIn = [inward, from.address, fromWeights.address];
  native.call("MPI_Dist_graph_neighbors", comm, ...edgesIn, outward, to.address, toWeights.address);
  return neighboursOf([...from.values.subarray(0, inward)], [...to.values.subarray(0, outward)]);
}
