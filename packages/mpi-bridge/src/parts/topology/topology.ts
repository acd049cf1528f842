import { quoted } from "@stowage/ir";
import { ourRank } from "../../constants.js";
import { BridgeError } from "../../errors.js";
import type { CallName } from "../../native/prototypes.js";
import { ints, intsOf } from "../../native/words.js";
import type { Endpoint } from "../endpoint.js";
import { cartNeighbours, distNeighbours, graphNeighbours } from "./ask-neighbours.js";
import { neighboursOf, type Neighbours, type Shift } from "./neighbours.js";
import { requireFlags, requireInts, requireWeights } from "./require-ints.js";
import { A_BOOLEAN, A_LIST, givenOptions, rulesOf } from "../../option-rules.js";

/** The shape of a cartesian communicator. MPI 4.1, section 8.5.1. */
export interface CartOptions {
  /** Whether each dimension is closed to a ring, an entry a dimension. Default: none is. */
  readonly periods?: readonly boolean[];
  /** Whether ranks may be numbered anew. Default: false. */
  readonly reorder?: boolean;
}

/** Options of a distributed graph (MPI_Dist_graph_create_adjacent; MPI 4.1, section 8.5.4). */
export interface GraphOptions {
  /** The weight of each edge that comes in, an entry a source. Default: 1 each. */
  readonly sourceWeights?: readonly number[];
  /** The weight of each edge that goes out, an entry a destination. Default: 1 each. */
  readonly destinationWeights?: readonly number[];
  /** Whether ranks may be numbered anew. Default: false. */
  readonly reorder?: boolean;
}

const CART_OPTIONS = rulesOf<CartOptions>({ periods: A_LIST, reorder: A_BOOLEAN });
const GRAPH_OPTIONS = rulesOf<GraphOptions>({
  sourceWeights: A_LIST,
  destinationWeights: A_LIST,
  reorder: A_BOOLEAN,
});

export type Kind = "plain" | "cart" | "graph" | "dist-graph";

/** More than any grid of ranks has. */
const MOST_DIMENSIONS = 32;

/** Makes a communicator by a call of MPI; undefined on ranks that have no place in it. */
type Make<Made> = (name: CallName, kind: Kind, ...args: number[]) => Made | undefined;

/** Where the ranks of a communicator stand to each other, and communicators of ranks that do (MPI 4.1, chapter 8). */
export class Topology<Made> {
  readonly kind: Kind;
  readonly #endpoint: Endpoint;
  readonly #make: Make<Made>;

  constructor(endpoint: Endpoint, kind: Kind, make: Make<Made>) {
    this.#endpoint = endpoint;
    this.kind = kind;
    this.#make = make;
  }

  createCart(dims: readonly number[], options: CartOptions = {}): Made | undefined {
    const { periods = [], reorder = false } = givenOptions(options, CART_OPTIONS, "options of a grid");
    requireInts("dimensions of a grid", dims);
    const [lengths, rings] = [intsOf(dims), intsOf(dims.map((_, i) => (periods[i] === true ? 1 : 0)))];
    return this.#make("MPI_Cart_create", "cart", dims.length, lengths.address, rings.address, Number(reorder));
  }

  cartSub(remaining: readonly boolean[]): Made {
    requireFlags("dimensions that remain", remaining);
    this.#requireDimensions("dimensions that remain", remaining);
    return this.#make("MPI_Cart_sub", "cart", intsOf(remaining.map(Number)).address) as Made;
  }

  createGraph(index: readonly number[], edges: readonly number[], reorder = false): Made | undefined {
    requireInts("index of a graph", index);
    requireInts("edges of a graph", edges);
    requireFlags("reorder of a graph", [reorder]);
    if (index.length > 0 && index.at(-1) !== edges.length)
      throw new BridgeError("edges of a graph", `${index.at(-1)}, as its index says`, String(edges.length));
    const [ends, list] = [intsOf(index), intsOf(edges)];
    return this.#make("MPI_Graph_create", "graph", index.length, ends.address, list.address, Number(reorder));
  }

  createDistGraph(sources: readonly number[], destinations: readonly number[], options: GraphOptions = {}): Made {
    requireInts("sources of a graph", sources);
    requireInts("destinations of a graph", destinations);
    const {
      sourceWeights = sources.map(() => 1),
      destinationWeights = destinations.map(() => 1),
      reorder = false,
    } = givenOptions(options, GRAPH_OPTIONS, "options of a graph");
    requireInts("weights of a graph", [...sourceWeights, ...destinationWeights]);
    requireWeights(sourceWeights, sources);
    requireWeights(destinationWeights, destinations);
    const [from, to] = [intsOf(sources), intsOf(destinations)];
    const [fromWeights, toWeights] = [intsOf(sourceWeights), intsOf(destinationWeights)];
    const edgesIn = [sources.length, from.address, fromWeights.address];
    const edgesOut = [destinations.length, to.address, toWeights.address];
    const rest = [this.#endpoint.context.native.constants.infoNull, Number(reorder)];
    return this.#make("MPI_Dist_graph_create_adjacent", "dist-graph", ...edgesIn, ...edgesOut, ...rest) as Made;
  }

  coords(rank = this.#endpoint.rank): readonly number[] {
    requireInts("rank of coords", [rank]);
    const coords = ints(MOST_DIMENSIONS);
    this.#endpoint.context.native.call("MPI_Cart_coords", this.#endpoint.handle, rank, MOST_DIMENSIONS, coords.address);
    return [...coords.values.subarray(0, this.dimensions)];
  }

  get dimensions(): number {
    const out = this.#endpoint.context.native.out;
    this.#endpoint.context.native.call("MPI_Cartdim_get", this.#endpoint.handle, out.address);
    return out.values[0] as number;
  }

  cartRank(coords: readonly number[]): number {
    requireInts("coordinates in a grid", coords);
    this.#requireDimensions("coordinates in a grid", coords);
    const { native } = this.#endpoint.context;
    native.call("MPI_Cart_rank", this.#endpoint.handle, intsOf(coords).address, native.out.address);
    return native.out.values[0] as number;
  }

  shift(direction: number, displacement = 1): Shift {
    requireInts("direction and displacement of a shift", [direction, displacement]);
    const { native } = this.#endpoint.context;
    const { address, values } = native.out;
    native.call("MPI_Cart_shift", this.#endpoint.handle, direction, displacement, address, address + 4);
    const [source, dest] = [values[0] as number, values[1] as number];
    return { source: ourRank(source, native.constants), dest: ourRank(dest, native.constants) };
  }

  neighbours(): Neighbours {
    return (this.#neighbours ??= this.#askNeighbours());
  }

  #neighbours: Neighbours | undefined;

  #askNeighbours(): Neighbours {
    switch (this.kind) {
      case "cart":
        return neighboursOf(cartNeighbours(this));
      case "graph":
        return neighboursOf(graphNeighbours(this.#endpoint.context.native, this.#endpoint.handle, this.#endpoint.rank));
      case "dist-graph":
        return distNeighbours(this.#endpoint.context.native, this.#endpoint.handle);
      case "plain":
        throw new BridgeError("neighbours of a communicator", "one with a topology", "one without");
    }
  }

  /** MPI reads as many as the grid has dimensions. */
  #requireDimensions(subject: string, list: readonly unknown[]): void {
    const { dimensions } = this;
    if (Array.isArray(list) && list.length === dimensions) return;
    throw new BridgeError(subject, `${dimensions}, one a dimension`, quoted(list));
  }
}
