import { ourRank, UNDEFINED } from "../constants.js";
import { hintsOfInfo } from "../message/datatype/hints.js";
import { BridgeError } from "../errors.js";
import { checkOptions } from "@stowage/engine";
import { quoted } from "@stowage/ir";
import { addressOf, cString, handleList, ints, intsOf } from "../native/words.js";
import type { DirectPaths } from "../carriers/ipc/direct-paths.js";
import { openDirectPaths } from "../carriers/ipc/open-direct-paths.js";
import { requireAgreement } from "./agreement.js";
import { Framing } from "../carriers/framed/framing.js";
import { agreedOptions, type DupOptions } from "./dup-options.js";
import type { CallName } from "../native/prototypes.js";
import { makeInfo, readInfo } from "../native/info.js";
import type { Context } from "../message/context.js";
import { requireInts, requireWeights } from "../parts/topology/require-ints.js";
import { cartNeighbours, distNeighbours, graphNeighbours } from "../parts/topology/ask-neighbours.js";
import { PeerCollectives } from "../parts/collectives/peer-collectives.js";
import {
  CART_RULES,
  GRAPH_RULES,
  neighboursOf,
  type CartOptions,
  type GraphOptions,
  type Neighbours,
  type Shift,
} from "../parts/topology/topology.js";

type Kind = "plain" | "cart" | "graph" | "dist-graph";

/**
 * A group of ranks, and a context of messages of its own (MPI 4.1, chapter 7). Its errors are thrown, with MPI's class
 * and text.
 */
export class Communicator extends PeerCollectives implements Disposable {
  readonly rank: number;
  readonly size: number;
  readonly #kind: Kind;
  readonly #predefined: boolean;
  #freed = false;

  /** @internal */
  constructor(context: Context, handle: number, kind: Kind = "plain", predefined = false) {
    super(context, handle);
    this.#kind = kind;
    this.#predefined = predefined;
    const { native } = context;
    native.call("MPI_Comm_set_errhandler", handle, native.mpi.constants.errorsReturn);
    native.call("MPI_Comm_rank", handle, native.out.address);
    this.rank = native.out.values[0] as number;
    native.call("MPI_Comm_size", handle, native.out.address);
    this.size = native.out.values[0] as number;
  }

  /**
   * The same ranks, other messages; settings are taken over (MPI_Comm_dup). All ranks call it. With options all ranks
   * must give the same; with those of messages these begin with a frame, and only its members can read them. Throws a
   * BridgeError where ranks differ, a MpiTimeoutError where some give none.
   */
  dup(options: DupOptions = {}): Communicator {
    const agreed = agreedOptions(options);
    const made = this.#made("MPI_Comm_dup", this.#kind) as Communicator;
    if (agreed === undefined) return made;
    requireAgreement(made, agreed, this.settings.timeoutMs);
    const { framing, reductions } = agreed;
    if (reductions !== "packed") made.carryReductions({ route: reductions, comm: made.dup() });
    if (framing === undefined) return made;
    made.#direct = openDirectPaths(made, this.context, framing, options.gpu);
    made.framing = new Framing(this.context, framing, made.handle, made.#chunksHandle(), made.#direct);
    return made;
  }

  /** Ways from GPU to GPU. */
  #direct: DirectPaths | undefined;

  /** @internal */
  protected override carrier(): Communicator {
    const made = this.dup();
    if (this.#direct !== undefined) made.framing = this.framing?.of(made.handle, made.#chunksHandle());
    return made;
  }

  /** A communicator of which nobody else knows: chunks travel by it. */
  #chunksHandle(): number {
    const { native } = this.context;
    const cell = handleList(native.mpi, 0);
    native.call("MPI_Comm_dup", this.handle, cell.address);
    native.call("MPI_Comm_set_errhandler", cell.get(0), native.mpi.constants.errorsReturn);
    return cell.get(0);
  }

  /** Ranks of one colour together, in the order of their keys; undefined for the colour UNDEFINED (MPI_Comm_split). */
  split(color: number, key = 0): Communicator | undefined {
    requireInts("colour and key of a split", [color, key]);
    if (color < 0 && color !== UNDEFINED)
      throw new BridgeError("colour of a split", "0 or more, or UNDEFINED", String(color));
    return this.#made("MPI_Comm_split", "plain", color, key);
  }

  /** Ranks that share memory together (MPI_Comm_split_type). */
  splitShared(key = 0): Communicator {
    requireInts("key of a split", [key]);
    const { typeShared, infoNull } = this.context.native.constants;
    return this.#made("MPI_Comm_split_type", "plain", typeShared, key, infoNull) as Communicator;
  }

  /** A grid of ranks; undefined for those that have no place in it (MPI_Cart_create). */
  createCart(dims: readonly number[], options: CartOptions = {}): Communicator | undefined {
    checkOptions("options of a grid", options, CART_RULES);
    const { periods = [], reorder = false } = options;
    requireInts("dimensions of a grid", dims);
    const [lengths, rings] = [intsOf(dims), intsOf(dims.map((_, i) => (periods[i] === true ? 1 : 0)))];
    return this.#made("MPI_Cart_create", "cart", dims.length, lengths.address, rings.address, Number(reorder));
  }

  /** Where a rank stands in the grid (MPI_Cart_coords). */
  coords(rank = this.rank): readonly number[] {
    requireInts("rank of coords", [rank]);
    const coords = ints(MOST_DIMENSIONS);
    this.context.native.call("MPI_Cart_coords", this.handle, rank, MOST_DIMENSIONS, coords.address);
    return [...coords.values.subarray(0, this.dimensions)];
  }

  /** Dimensions of the grid. */
  get dimensions(): number {
    const out = this.context.native.out;
    this.context.native.call("MPI_Cartdim_get", this.handle, out.address);
    return out.values[0] as number;
  }

  /** Which rank stands there (MPI_Cart_rank). */
  cartRank(coords: readonly number[]): number {
    requireInts("coordinates in a grid", coords);
    this.#requireDimensions("coordinates in a grid", coords);
    const { native } = this.context;
    native.call("MPI_Cart_rank", this.handle, intsOf(coords).address, native.out.address);
    return native.out.values[0] as number;
  }

  /** The neighbours along a dimension (MPI_Cart_shift). */
  shift(direction: number, displacement = 1): Shift {
    requireInts("direction and displacement of a shift", [direction, displacement]);
    const { native } = this.context;
    const { address, values } = native.out;
    native.call("MPI_Cart_shift", this.handle, direction, displacement, address, address + 4);
    const [source, dest] = [values[0] as number, values[1] as number];
    return { source: ourRank(source, native.constants), dest: ourRank(dest, native.constants) };
  }

  /** The lower grids that keep some dimensions (MPI_Cart_sub). */
  cartSub(remaining: readonly boolean[]): Communicator {
    this.#requireDimensions("dimensions that remain", remaining);
    return this.#made("MPI_Cart_sub", "cart", intsOf(remaining.map(Number)).address) as Communicator;
  }

  /**
   * A graph that every rank knows whole: edges of rank i are edges[index[i - 1]] to edges[index[i] - 1]
   * (MPI_Graph_create).
   */
  createGraph(index: readonly number[], edges: readonly number[], reorder = false): Communicator | undefined {
    requireInts("index of a graph", index);
    requireInts("edges of a graph", edges);
    if (index.length > 0 && index.at(-1) !== edges.length)
      throw new BridgeError("edges of a graph", `${index.at(-1)}, as its index says`, String(edges.length));
    const [ends, list] = [intsOf(index), intsOf(edges)];
    return this.#made("MPI_Graph_create", "graph", index.length, ends.address, list.address, Number(reorder));
  }

  /** A graph of which each rank knows its own edges (MPI_Dist_graph_create_adjacent). */
  createDistGraph(
    sources: readonly number[],
    destinations: readonly number[],
    options: GraphOptions = {},
  ): Communicator {
    requireInts("sources of a graph", sources);
    requireInts("destinations of a graph", destinations);
    checkOptions("options of a graph", options, GRAPH_RULES);
    const {
      sourceWeights = sources.map(() => 1),
      destinationWeights = destinations.map(() => 1),
      reorder = false,
    } = options;
    requireInts("weights of a graph", [...sourceWeights, ...destinationWeights]);
    requireWeights(sourceWeights, sources);
    requireWeights(destinationWeights, destinations);
    const [from, to] = [intsOf(sources), intsOf(destinations)];
    const [fromWeights, toWeights] = [intsOf(sourceWeights), intsOf(destinationWeights)];
    const edgesIn = [sources.length, from.address, fromWeights.address];
    const edgesOut = [destinations.length, to.address, toWeights.address];
    const { infoNull } = this.context.native.constants;
    return this.#made(
      "MPI_Dist_graph_create_adjacent",
      "dist-graph",
      ...edgesIn,
      ...edgesOut,
      infoNull,
      Number(reorder),
    ) as Communicator;
  }

  /**
   * Whom neighbour collectives send to and receive from, in their order. MPI is asked once: a topology does not change.
   */
  neighbours(): Neighbours {
    return (this.#neighbours ??= this.#askNeighbours());
  }

  #neighbours: Neighbours | undefined;

  #askNeighbours(): Neighbours {
    switch (this.#kind) {
      case "cart":
        return neighboursOf(cartNeighbours(this));
      case "graph":
        return neighboursOf(graphNeighbours(this.context.native, this.handle, this.rank));
      case "dist-graph":
        return distNeighbours(this.context.native, this.handle);
      case "plain":
        throw new BridgeError("neighbours of a communicator", "one with a topology", "one without");
    }
  }

  /** The name that debuggers show (MPI_Comm_get_name). */
  get name(): string {
    const text = new Uint8Array(new ArrayBuffer(512));
    const { native } = this.context;
    native.call("MPI_Comm_get_name", this.handle, addressOf(text), native.out.address);
    return Buffer.from(text.subarray(0, native.out.values[0])).toString("utf8");
  }

  set name(name: string) {
    this.context.native.call("MPI_Comm_set_name", this.handle, cString(name).address);
  }

  /**
   * Hints for the MPI (MPI_Comm_set_info); those under names of ours become hints of this communicator. All ranks call
   * it.
   */
  setInfo(info: Readonly<Record<string, string>>): void {
    using made = makeInfo(this.context.native, info);
    this.settings = { ...this.settings, hints: { ...this.settings.hints, ...hintsOfInfo(info) } };
    this.context.native.call("MPI_Comm_set_info", this.handle, made.handle);
  }

  /** The hints that the MPI uses (MPI_Comm_get_info): those that it does not know may be missing. */
  getInfo(): Readonly<Record<string, string>> {
    const { native } = this.context;
    const cell = handleList(native.mpi, 0);
    native.call("MPI_Comm_get_info", this.handle, cell.address);
    return readInfo(native, cell);
  }

  /** Ends every process of the communicator, as well as the MPI can (MPI_Abort). */
  abort(code = 1): never {
    this.context.native.call("MPI_Abort", this.handle, code);
    process.exit(code);
  }

  /** Messages under way are finished; nothing else can be done with it (MPI_Comm_free). All ranks call it. */
  free(): void {
    if (this.#predefined) throw new BridgeError("free of a communicator", "one that was made", "a predefined one");
    if (this.#freed) throw new BridgeError("communicator", "one in use", "a freed one");
    this.#freed = true;
    this.framing?.free();
    this.freePeers();
    this.freeReductions();
    this.#direct?.[Symbol.dispose]();
    const cell = handleList(this.context.native.mpi, 0);
    cell.set(0, this.handle);
    this.context.native.call("MPI_Comm_free", cell.address);
    this.forget();
  }

  [Symbol.dispose](): void {
    if (!this.#freed && !this.#predefined && this.context.native.isRunning) this.free();
  }

  #made(name: CallName, kind: Kind, ...args: number[]): Communicator | undefined {
    const { native } = this.context;
    this.requireNoTasks(name);
    const cell = handleList(native.mpi, 0);
    native.call(name, this.handle, ...args, cell.address);
    const handle = cell.get(0);
    if (handle === native.constants.commNull) return undefined;
    const made = new Communicator(this.context, handle, kind);
    made.settings = this.settings;
    return made;
  }

  /** MPI reads as many as the grid has dimensions. */
  #requireDimensions(subject: string, list: readonly unknown[]): void {
    const { dimensions } = this;
    if (Array.isArray(list) && list.length === dimensions) return;
    throw new BridgeError(subject, `${dimensions}, one a dimension`, quoted(list));
  }
}

/** More than any grid of ranks has. */
const MOST_DIMENSIONS = 32;
