import { checkOptions } from "@stowage/engine";
import { quoted } from "@stowage/ir";
import { MemberCarriers } from "../carriers/chooser.js";
import type { Explanation } from "../carriers/explanation.js";
import type { MatchedMessage } from "../carriers/framed/matched-message.js";
import { Framing } from "../carriers/framed/framing.js";
import { UNDEFINED } from "../constants.js";
import { BridgeError } from "../errors.js";
import type { Context } from "../message/context.js";
import { hintsOfInfo } from "../message/datatype/hints.js";
import type { Message } from "../message/place/message.js";
import type { PersistentRequest } from "../message/requests/persistent-request.js";
import type { Request, WaitOptions } from "../message/requests/request.js";
import type { Status } from "../message/requests/status.js";
import { makeInfo, readInfo } from "../native/info.js";
import type { CallName } from "../native/prototypes.js";
import { addressOf, cString, handleList, intsOf } from "../native/words.js";
import type { Given, InPlace, Parts, TypedParts } from "../parts/collectives/collective-buffers.js";
import { Collectives } from "../parts/collectives/collectives.js";
import type { PeerMessages } from "../parts/collectives/peer-exchange.js";
import { Endpoint } from "../parts/endpoint.js";
import type { BoundRecv, BoundSend } from "../parts/point-to-point/bound-message.js";
import type { RecvOptions, SendOptions, SendrecvOptions } from "../parts/point-to-point/message-options.js";
import { PointToPoint } from "../parts/point-to-point/point-to-point.js";
import type { ReductionPlan } from "../parts/reductions/reduction-plan.js";
import { Reductions, type ReduceOptions } from "../parts/reductions/reductions.js";
import type { CommunicatorSettings } from "../parts/settings.js";
import type { Neighbours, Shift } from "../parts/topology/neighbours.js";
import { requireFlags, requireInts, requireWeights } from "../parts/topology/require-ints.js";
import {
  CART_RULES,
  GRAPH_RULES,
  Topology,
  type CartOptions,
  type GraphOptions,
  type Kind,
} from "../parts/topology/topology.js";
import { requireAgreement } from "./agreement.js";
import { agreedOptions, type DupOptions } from "./dup-options.js";
import { messagePlan, type MessagePlan } from "./message-plan.js";

/**
 * A group of ranks, and a context of messages of its own (MPI 4.1, chapter 7). Its errors are thrown, with MPI's class
 * and text.
 */
export class Communicator implements Disposable {
  readonly rank: number;
  readonly size: number;
  readonly #endpoint: Endpoint;
  readonly #pointToPoint: PointToPoint;
  readonly #collectives: Collectives;
  readonly #reductions: Reductions;
  readonly #topology: Topology;
  readonly #predefined: boolean;
  /** Of a framed one. */
  #carriers: MemberCarriers | undefined;
  #freed = false;

  /** @internal */
  constructor(context: Context, handle: number, kind: Kind = "plain", predefined = false) {
    const endpoint = new Endpoint(context, handle);
    this.#endpoint = endpoint;
    [this.rank, this.size] = [endpoint.rank, endpoint.size];
    this.#predefined = predefined;
    this.#topology = new Topology(endpoint, kind);
    this.#pointToPoint = new PointToPoint(endpoint);
    this.#collectives = new Collectives(
      endpoint,
      () => this.#topology.neighbours(),
      () => this.#forPeers(),
    );
    this.#reductions = new Reductions(endpoint);
  }

  /** MPI_Comm, as the ABI has it. */
  get handle(): number {
    return this.#endpoint.handle;
  }

  get settings(): CommunicatorSettings {
    return this.#endpoint.settings;
  }

  set settings(settings: CommunicatorSettings) {
    this.#endpoint.settings = settings;
  }

  /** @internal What all communicators of this MPI share, for plans over one. */
  get shared(): Context {
    return this.#endpoint.context;
  }

  /**
   * @internal Throws a BridgeError where some rank is no program of this package: none answers there to what `subject`
   * asks of all ranks besides MPI's own calls.
   */
  requireFellows(subject: string, otherwise: string): void {
    this.#endpoint.fellows.require(subject, otherwise, this.settings.timeoutMs);
  }

  /**
   * What each carrier says of a message that is to be sent: whether it takes it or why not, what it is predicted to
   * take and was measured to; and which one is chosen, and why. To be printed as it is. Nothing is sent.
   */
  explain(message: Message, dest?: number): Explanation {
    return this.#endpoint.explain(message, dest);
  }

  /** @deprecated `explain` says the same of all messages. */
  plan(message: Message, dest?: number): MessagePlan {
    return messagePlan(this.explain(message, dest));
  }

  /**
   * The same ranks, other messages; settings are taken over (MPI_Comm_dup). All ranks call it. With options all ranks
   * must give the same; with those of messages these begin with a frame, and only its members can read them. Throws a
   * BridgeError where ranks differ, a MpiTimeoutError where some give none.
   */
  dup(options: DupOptions = {}): Communicator {
    const agreed = agreedOptions(options);
    const made = this.#made("MPI_Comm_dup", this.#topology.kind) as Communicator;
    if (agreed === undefined) return made;
    requireAgreement(made, agreed, this.settings.timeoutMs);
    for (const { fellows } of [this.#endpoint, made.#endpoint]) fellows.know();
    const { framing, reductions } = agreed;
    if (reductions !== "packed") made.#reductions.carryBy({ carrier: reductions, comm: made.dup() });
    if (framing === undefined) return made;
    const { context } = this.#endpoint;
    const carriers = new MemberCarriers(context, framing);
    const obstacle = carriers.meet(made, options.gpu);
    if (obstacle !== undefined) {
      made.free(); // all ranks do
      throw obstacle;
    }
    made.#carriers = carriers;
    made.#endpoint.framing = new Framing(context, framing, made.handle, made.#chunksHandle(), carriers);
    return made;
  }

  /** A communicator of the same ranks, whose messages may go by the same carriers. */
  #forPeers(): Communicator {
    const made = this.dup();
    const { framing } = this.#endpoint;
    if (framing?.reachesDevices === true) made.#endpoint.framing = framing.of(made.handle, made.#chunksHandle());
    return made;
  }

  /** A communicator of which nobody else knows: chunks travel by it. */
  #chunksHandle(): number {
    const { native } = this.#endpoint.context;
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
    const { typeShared, infoNull } = this.#endpoint.context.native.constants;
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

  /** The lower grids that keep some dimensions (MPI_Cart_sub). */
  cartSub(remaining: readonly boolean[]): Communicator {
    requireFlags("dimensions that remain", remaining);
    this.#topology.requireDimensions("dimensions that remain", remaining);
    return this.#made("MPI_Cart_sub", "cart", intsOf(remaining.map(Number)).address) as Communicator;
  }

  /**
   * A graph that every rank knows whole: edges of rank i are edges[index[i - 1]] to edges[index[i] - 1]
   * (MPI_Graph_create).
   */
  createGraph(index: readonly number[], edges: readonly number[], reorder = false): Communicator | undefined {
    requireInts("index of a graph", index);
    requireInts("edges of a graph", edges);
    requireFlags("reorder of a graph", [reorder]);
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
    const { infoNull } = this.#endpoint.context.native.constants;
    return this.#made(
      "MPI_Dist_graph_create_adjacent",
      "dist-graph",
      ...edgesIn,
      ...edgesOut,
      infoNull,
      Number(reorder),
    ) as Communicator;
  }

  /** The name that debuggers show (MPI_Comm_get_name). */
  get name(): string {
    const text = new Uint8Array(new ArrayBuffer(512));
    const { native } = this.#endpoint.context;
    native.call("MPI_Comm_get_name", this.handle, addressOf(text), native.out.address);
    return Buffer.from(text.subarray(0, native.out.values[0])).toString("utf8");
  }

  set name(name: string) {
    if (typeof name !== "string") throw new BridgeError("name of a communicator", "a string", quoted(name));
    this.#endpoint.context.native.call("MPI_Comm_set_name", this.handle, cString(name).address);
  }

  /**
   * Hints for the MPI (MPI_Comm_set_info); those under names of ours become hints of this communicator. All ranks call
   * it.
   */
  setInfo(info: Readonly<Record<string, string>>): void {
    using made = makeInfo(this.#endpoint.context.native, info);
    this.settings = { ...this.settings, hints: { ...this.settings.hints, ...hintsOfInfo(info) } };
    this.#endpoint.context.native.call("MPI_Comm_set_info", this.handle, made.handle);
  }

  /** The hints that the MPI uses (MPI_Comm_get_info): those that it does not know may be missing. */
  getInfo(): Readonly<Record<string, string>> {
    const { native } = this.#endpoint.context;
    const cell = handleList(native.mpi, 0);
    native.call("MPI_Comm_get_info", this.handle, cell.address);
    return readInfo(native, cell);
  }

  /** Ends every process of the communicator, as well as the MPI can (MPI_Abort). */
  abort(code = 1): never {
    this.#endpoint.context.native.call("MPI_Abort", this.handle, code);
    process.exit(code);
  }

  /** Messages under way are finished; nothing else can be done with it (MPI_Comm_free). All ranks call it. */
  free(): void {
    if (this.#predefined) throw new BridgeError("free of a communicator", "one that was made", "a predefined one");
    if (this.#freed) throw new BridgeError("communicator", "one in use", "a freed one");
    this.#freed = true;
    this.#endpoint.framing?.free();
    this.#collectives.free();
    this.#reductions.free();
    this.#carriers?.[Symbol.dispose]();
    const cell = handleList(this.#endpoint.context.native.mpi, 0);
    cell.set(0, this.handle);
    this.#endpoint.context.native.call("MPI_Comm_free", cell.address);
    this.#endpoint.forget();
  }

  [Symbol.dispose](): void {
    if (!this.#freed && !this.#predefined && this.#endpoint.context.native.isRunning) this.free();
  }

  /** Returns once the message may be overwritten (MPI_Send). */
  send(message: Message, dest: number, options?: SendOptions): void {
    this.#pointToPoint.send(message, dest, options);
  }

  /** Returns once the receiver has begun to receive (MPI_Ssend). */
  ssend(message: Message, dest: number, options?: SendOptions): void {
    this.#pointToPoint.ssend(message, dest, options);
  }

  /** Receives a message (MPI_Recv). What arrived is unpacked: the status tells how much. */
  recv(message: Message, source?: number, options?: RecvOptions): Status {
    return this.#pointToPoint.recv(message, source, options);
  }

  /** A blocking send whose arguments are looked at now, once. */
  bindSend(message: Message, dest: number, options?: SendOptions): BoundSend {
    return this.#pointToPoint.bindSend(message, dest, options);
  }

  /** A blocking receive whose arguments are looked at now, once. */
  bindRecv(message: Message, source?: number, options?: RecvOptions): BoundRecv {
    return this.#pointToPoint.bindRecv(message, source, options);
  }

  /** Sends one message and receives another, without a deadlock (MPI_Sendrecv). */
  sendrecv(out: Message, dest: number, into: Message, source?: number, options?: SendrecvOptions): Status {
    return this.#pointToPoint.sendrecv(out, dest, into, source, options);
  }

  /** Begins to send (MPI_Isend). */
  isend(message: Message, dest: number, options?: SendOptions): Request {
    return this.#pointToPoint.isend(message, dest, options);
  }

  /** Begins to send; over once the receiver has begun to receive (MPI_Issend). */
  issend(message: Message, dest: number, options?: SendOptions): Request {
    return this.#pointToPoint.issend(message, dest, options);
  }

  /** Begins to receive (MPI_Irecv). */
  irecv(message: Message, source?: number, options?: RecvOptions): Request {
    return this.#pointToPoint.irecv(message, source, options);
  }

  /** A send that is prepared once and started many times (MPI_Send_init). */
  sendInit(message: Message, dest: number, options?: SendOptions): PersistentRequest {
    return this.#pointToPoint.sendInit(message, dest, options);
  }

  /** The same of ssend (MPI_Ssend_init). */
  ssendInit(message: Message, dest: number, options?: SendOptions): PersistentRequest {
    return this.#pointToPoint.ssendInit(message, dest, options);
  }

  /** A receive that is prepared once and started many times (MPI_Recv_init). */
  recvInit(message: Message, source?: number, options?: RecvOptions): PersistentRequest {
    return this.#pointToPoint.recvInit(message, source, options);
  }

  /** Waits for a message without receiving it (MPI_Probe). */
  probe(source?: number, options?: RecvOptions): Status {
    return this.#pointToPoint.probe(source, options);
  }

  /** The status of a message that could be received now (MPI_Iprobe). */
  iprobe(source?: number, options?: RecvOptions): Status | undefined {
    return this.#pointToPoint.iprobe(source, options);
  }

  /** Waits for a message and takes it out, so that nobody else receives it (MPI_Mprobe). */
  mprobe(source?: number, options?: RecvOptions): MatchedMessage {
    return this.#pointToPoint.mprobe(source, options);
  }

  /** The same where a message is there now (MPI_Improbe). */
  improbe(source?: number, options?: RecvOptions): MatchedMessage | undefined {
    return this.#pointToPoint.improbe(source, options);
  }

  /** Returns once all ranks have called it (MPI_Barrier). */
  barrier(): void {
    this.#collectives.barrier().run();
  }

  ibarrier(): Request {
    return this.#collectives.barrier().begin();
  }

  /** From the root to all (MPI_Bcast). */
  bcast(message: Message, root?: number): void {
    this.#collectives.bcast(message, root).run();
  }

  ibcast(message: Message, root?: number): Request {
    return this.#collectives.bcast(message, root).begin();
  }

  /** From all to the root, in the order of ranks (MPI_Gather). */
  gather(sent: Given, received?: Message, root?: number): void {
    this.#collectives.gather(sent, received, root).run();
  }

  igather(sent: Given, received?: Message, root?: number): Request {
    return this.#collectives.gather(sent, received, root).begin();
  }

  /** The same of parts that differ (MPI_Gatherv). */
  gatherv(sent: Given, received?: Parts, root?: number): void {
    this.#collectives.gatherv(sent, received, root).run();
  }

  igatherv(sent: Given, received?: Parts, root?: number): Request {
    return this.#collectives.gatherv(sent, received, root).begin();
  }

  /** From the root to each its part (MPI_Scatter). */
  scatter(sent: Message | undefined, received: Given, root?: number): void {
    this.#collectives.scatter(sent, received, root).run();
  }

  iscatter(sent: Message | undefined, received: Given, root?: number): Request {
    return this.#collectives.scatter(sent, received, root).begin();
  }

  /** The same of parts that differ (MPI_Scatterv). */
  scatterv(sent: Parts | undefined, received: Given, root?: number): void {
    this.#collectives.scatterv(sent, received, root).run();
  }

  iscatterv(sent: Parts | undefined, received: Given, root?: number): Request {
    return this.#collectives.scatterv(sent, received, root).begin();
  }

  /** From all to all, in the order of ranks (MPI_Allgather). */
  allgather(sent: Given, received: Message): void {
    this.#collectives.allgather(sent, received).run();
  }

  iallgather(sent: Given, received: Message): Request {
    return this.#collectives.allgather(sent, received).begin();
  }

  /** The same of parts that differ (MPI_Allgatherv). */
  allgatherv(sent: Given, received: Parts): void {
    this.#collectives.allgatherv(sent, received).run();
  }

  iallgatherv(sent: Given, received: Parts): Request {
    return this.#collectives.allgatherv(sent, received).begin();
  }

  /** From each to each a part (MPI_Alltoall). */
  alltoall(sent: Given, received: Message): void {
    this.#collectives.alltoall(sent, received).run();
  }

  ialltoall(sent: Given, received: Message): Request {
    return this.#collectives.alltoall(sent, received).begin();
  }

  /** The same of parts that differ (MPI_Alltoallv). */
  alltoallv(sent: Parts | InPlace, received: Parts): void {
    this.#collectives.runAlltoallv(sent, received);
  }

  ialltoallv(sent: Parts | InPlace, received: Parts): Request {
    return this.#collectives.alltoallv(sent, received).begin();
  }

  /** The same of datatypes that differ (MPI_Alltoallw). */
  alltoallw(sent: TypedParts, received: TypedParts): void {
    this.#collectives.runAlltoallw(sent, received);
  }

  ialltoallw(sent: TypedParts, received: TypedParts): Request {
    return this.#collectives.alltoallw(sent, received).begin();
  }

  /** From each to all neighbours (MPI_Neighbor_allgather; MPI 4.1, section 8.6). */
  neighborAllgather(sent: Message, received: Message): void {
    this.#collectives.neighborAllgather(sent, received).run();
  }

  ineighborAllgather(sent: Message, received: Message): Request {
    return this.#collectives.neighborAllgather(sent, received).begin();
  }

  neighborAllgatherv(sent: Message, received: Parts): void {
    this.#collectives.neighborAllgatherv(sent, received).run();
  }

  ineighborAllgatherv(sent: Message, received: Parts): Request {
    return this.#collectives.neighborAllgatherv(sent, received).begin();
  }

  /** From each to each neighbour a part (MPI_Neighbor_alltoall). */
  neighborAlltoall(sent: Message, received: Message): void {
    this.#collectives.neighborAlltoall(sent, received).run();
  }

  ineighborAlltoall(sent: Message, received: Message): Request {
    return this.#collectives.neighborAlltoall(sent, received).begin();
  }

  neighborAlltoallv(sent: Parts, received: Parts): void {
    this.#collectives.neighborAlltoallv(sent, received).run();
  }

  ineighborAlltoallv(sent: Parts, received: Parts): Request {
    return this.#collectives.neighborAlltoallv(sent, received).begin();
  }

  neighborAlltoallw(sent: TypedParts, received: TypedParts): void {
    this.#collectives.neighborAlltoallw(sent, received).run();
  }

  ineighborAlltoallw(sent: TypedParts, received: TypedParts): Request {
    return this.#collectives.neighborAlltoallw(sent, received).begin();
  }

  /**
   * From each to each of its peers, messages of their own datatypes: an alltoallw whose cost does not grow with the
   * ranks. All ranks call it, with whom they send to and receive from; empty maps for none.
   */
  alltoallPeers(sent: PeerMessages, received: PeerMessages, options?: WaitOptions): void {
    this.#collectives.alltoallPeers(sent, received).run(options);
  }

  ialltoallPeers(sent: PeerMessages, received: PeerMessages): Request {
    return this.#collectives.alltoallPeers(sent, received).begin();
  }

  /** To the root (MPI_Reduce). */
  reduce(sent: Given, received?: Message, options?: ReduceOptions, root?: number): void {
    this.#reductions.reduce(sent, received, options, root).run();
  }

  ireduce(sent: Given, received?: Message, options?: ReduceOptions, root?: number): Request {
    return this.#reductions.reduce(sent, received, options, root).begin();
  }

  /** To all (MPI_Allreduce): the same bits on each rank. */
  allreduce(sent: Given, received: Message, options?: ReduceOptions): void {
    this.#reductions.allreduce(sent, received, options).run();
  }

  iallreduce(sent: Given, received: Message, options?: ReduceOptions): Request {
    return this.#reductions.allreduce(sent, received, options).begin();
  }

  /**
   * To each rank its part, as long as those of the others (MPI_Reduce_scatter_block). In place, it comes to be where
   * the elements begin.
   */
  reduceScatterBlock(sent: Given, received: Message, options?: ReduceOptions): void {
    this.#reductions.reduceScatterBlock(sent, received, options).run();
  }

  ireduceScatterBlock(sent: Given, received: Message, options?: ReduceOptions): Request {
    return this.#reductions.reduceScatterBlock(sent, received, options).begin();
  }

  /** To each rank so many elements, counted as it receives them (MPI_Reduce_scatter). */
  reduceScatter(sent: Given, received: Message, counts: readonly number[], options?: ReduceOptions): void {
    this.#reductions.reduceScatter(sent, received, counts, options).run();
  }

  ireduceScatter(sent: Given, received: Message, counts: readonly number[], options?: ReduceOptions): Request {
    return this.#reductions.reduceScatter(sent, received, counts, options).begin();
  }

  /** To each rank what it and those before it make (MPI_Scan). */
  scan(sent: Given, received: Message, options?: ReduceOptions): void {
    this.#reductions.scan(sent, received, options).run();
  }

  iscan(sent: Given, received: Message, options?: ReduceOptions): Request {
    return this.#reductions.scan(sent, received, options).begin();
  }

  /** To each rank what those before it make; rank 0 gets nothing (MPI_Exscan). */
  exscan(sent: Given, received: Message, options?: ReduceOptions): void {
    this.#reductions.exscan(sent, received, options).run();
  }

  iexscan(sent: Given, received: Message, options?: ReduceOptions): Request {
    return this.#reductions.exscan(sent, received, options).begin();
  }

  /** How a reduction of these elements to all ranks goes, and why. Nothing is sent. */
  planReduction(message: Message, options?: ReduceOptions): ReductionPlan {
    return this.#reductions.planReduction(message, options);
  }

  /** Where a rank stands in the grid (MPI_Cart_coords). */
  coords(rank?: number): readonly number[] {
    return this.#topology.coords(rank);
  }

  /** Dimensions of the grid. */
  get dimensions(): number {
    return this.#topology.dimensions;
  }

  /** Which rank stands there (MPI_Cart_rank). */
  cartRank(coords: readonly number[]): number {
    return this.#topology.cartRank(coords);
  }

  /** The neighbours along a dimension (MPI_Cart_shift). */
  shift(direction: number, displacement?: number): Shift {
    return this.#topology.shift(direction, displacement);
  }

  /**
   * Whom neighbour collectives send to and receive from, in their order. MPI is asked once: a topology does not change.
   */
  neighbours(): Neighbours {
    return this.#topology.neighbours();
  }

  #made(name: CallName, kind: Kind, ...args: number[]): Communicator | undefined {
    const { native } = this.#endpoint.context;
    this.#endpoint.requireNoTasks(name);
    const cell = handleList(native.mpi, 0);
    native.call(name, this.handle, ...args, cell.address);
    const handle = cell.get(0);
    if (handle === native.constants.commNull) return undefined;
    const made = new Communicator(this.#endpoint.context, handle, kind);
    made.settings = this.settings;
    // Its ranks are among those of this one.
    if (this.#endpoint.fellows.isAsked) made.#endpoint.fellows = this.#endpoint.fellows;
    return made;
  }
}
