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
import { addressOf, cString, handleList } from "../native/words.js";
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
import { requireInts } from "../parts/topology/require-ints.js";
import { Topology, type CartOptions, type GraphOptions, type Kind } from "../parts/topology/topology.js";
import { requireAgreement } from "./agreement.js";
import { agreedOptions, type DupOptions } from "./dup-options.js";
import { messagePlan, type MessagePlan } from "./message-plan.js";

/**
 * A group of ranks, and a context of messages of its own (MPI 4.1, chapter 7). Every call throws a BridgeError for
 * arguments that cannot be, and an MpiError, with MPI's class and text, for what MPI refuses. Sends and receives with a
 * time limit throw a MpiTimeoutError. Where buffers hold parts for ranks, `size` equal parts lie in the order of ranks.
 */
export class Communicator implements Disposable {
  /** This process's number in the group, from 0 to size - 1. */
  readonly rank: number;
  /** How many ranks the group has. */
  readonly size: number;
  readonly #endpoint: Endpoint;
  readonly #pointToPoint: PointToPoint;
  readonly #collectives: Collectives;
  readonly #reductions: Reductions;
  readonly #topology: Topology<Communicator>;
  readonly #predefined: boolean;
  /** A framed communicator's carriers; others have none. */
  #carriers: MemberCarriers | undefined;
  #freed = false;

  /** @internal */
  constructor(context: Context, handle: number, kind: Kind = "plain", predefined = false) {
    const endpoint = new Endpoint(context, handle);
    this.#endpoint = endpoint;
    [this.rank, this.size] = [endpoint.rank, endpoint.size];
    this.#predefined = predefined;
    this.#topology = new Topology(endpoint, kind, (name, its, ...args) => this.#made(name, its, ...args));
    this.#pointToPoint = new PointToPoint(endpoint);
    this.#collectives = new Collectives(
      endpoint,
      () => this.#topology.neighbours(),
      () => this.#forPeers(),
    );
    this.#reductions = new Reductions(endpoint);
  }

  /** The MPI_Comm handle, as a number of the MPI's ABI. */
  get handle(): number {
    return this.#endpoint.handle;
  }

  /**
   * What this communicator does by default; those made of it take it over. Setting it throws for what is no setting.
   */
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
   * Says how a message would go, and sends nothing. For each carrier (a way in which messages travel): whether it
   * supports the message or why not, its predicted time and its measured one. Then which carrier is chosen, and why.
   * `String(comm.explain(message, 1))` prints it.
   */
  explain(message: Message, dest?: number): Explanation {
    return this.#endpoint.explain(message, dest);
  }

  /** @deprecated `explain` says the same of all messages. */
  plan(message: Message, dest?: number): MessagePlan {
    return messagePlan(this.explain(message, dest));
  }

  /**
   * Makes a communicator of the same ranks with messages of its own; it takes over the settings (MPI_Comm_dup). All
   * ranks call it, with equal options where they give any. With options of messages, each message begins with a frame,
   * which only members can read. Throws a BridgeError where ranks differ, a MpiTimeoutError where some give no options.
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

  /**
   * Makes a communicator for each colour, with its ranks in the order of their keys (MPI_Comm_split). All ranks call
   * it. Returns undefined for the colour UNDEFINED. Throws a BridgeError for another negative colour.
   */
  split(color: number, key = 0): Communicator | undefined {
    requireInts("colour and key of a split", [color, key]);
    if (color < 0 && color !== UNDEFINED)
      throw new BridgeError("colour of a split", "0 or more, or UNDEFINED", String(color));
    return this.#made("MPI_Comm_split", "plain", color, key);
  }

  /**
   * Makes a communicator for the ranks of each host, which can share memory (MPI_Comm_split_type). All ranks call it.
   */
  splitShared(key = 0): Communicator {
    requireInts("key of a split", [key]);
    const { typeShared, infoNull } = this.#endpoint.context.native.constants;
    return this.#made("MPI_Comm_split_type", "plain", typeShared, key, infoNull) as Communicator;
  }

  /**
   * Makes a grid of ranks, `dims[i]` of them along dimension i (MPI_Cart_create; MPI 4.1, section 8.5.1). All ranks
   * call it; those without a place in the grid get undefined.
   */
  createCart(dims: readonly number[], options?: CartOptions): Communicator | undefined {
    return this.#topology.createCart(dims, options);
  }

  /**
   * Splits the grid into grids of the dimensions that remain: one flag a dimension (MPI_Cart_sub). All ranks call it.
   */
  cartSub(remaining: readonly boolean[]): Communicator {
    return this.#topology.cartSub(remaining);
  }

  /**
   * Makes a graph that every rank knows whole: the edges of rank i are edges[index[i - 1]] to edges[index[i] - 1]
   * (MPI_Graph_create; MPI 4.1, section 8.5.3). All ranks call it with the same lists; those without a place in the
   * graph get undefined. Throws a BridgeError where the last entry of `index` is not the number of edges.
   */
  createGraph(index: readonly number[], edges: readonly number[], reorder?: boolean): Communicator | undefined {
    return this.#topology.createGraph(index, edges, reorder);
  }

  /**
   * Makes a graph of which each rank knows its own edges alone: the ranks it receives from and those it sends to
   * (MPI_Dist_graph_create_adjacent; MPI 4.1, section 8.5.4). All ranks call it.
   */
  createDistGraph(sources: readonly number[], destinations: readonly number[], options?: GraphOptions): Communicator {
    return this.#topology.createDistGraph(sources, destinations, options);
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
   * Gives the MPI hints (MPI_Comm_set_info); those under names of this package become hints of this communicator. All
   * ranks call it.
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

  /**
   * Ends the communicator: messages under way are finished, and each further call throws a BridgeError (MPI_Comm_free).
   * All ranks call it.
   */
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

  /** Sends a message; returns once it may be overwritten (MPI_Send; MPI 4.1, section 3.2.1). */
  send(message: Message, dest: number, options?: SendOptions): void {
    this.#pointToPoint.send(message, dest, options);
  }

  /** Sends a message; returns once the receiver has begun to receive (MPI_Ssend; MPI 4.1, section 3.4). */
  ssend(message: Message, dest: number, options?: SendOptions): void {
    this.#pointToPoint.ssend(message, dest, options);
  }

  /**
   * Receives a message (MPI_Recv; MPI 4.1, section 3.2.4). What arrived is unpacked: the status tells how much.
   * Default: from any source.
   */
  recv(message: Message, source?: number, options?: RecvOptions): Status {
    return this.#pointToPoint.recv(message, source, options);
  }

  /**
   * Binds a blocking send, whose arguments are checked now, once: its `send` sends as often as it is called. Throws a
   * BridgeError where elements do not lie side by side (`sendInit` takes those), or the communicator was duplicated
   * with options of messages.
   */
  bindSend(message: Message, dest: number, options?: SendOptions): BoundSend {
    return this.#pointToPoint.bindSend(message, dest, options);
  }

  /**
   * Binds a blocking receive, whose arguments are checked now, once: its `recv` receives as often as it is called.
   * Throws as `bindSend` does.
   */
  bindRecv(message: Message, source?: number, options?: RecvOptions): BoundRecv {
    return this.#pointToPoint.bindRecv(message, source, options);
  }

  /**
   * Sends one message and receives another, without a deadlock (MPI_Sendrecv; MPI 4.1, section 3.10). Throws a
   * BridgeError where the two share a byte.
   */
  sendrecv(out: Message, dest: number, into: Message, source?: number, options?: SendrecvOptions): Status {
    return this.#pointToPoint.sendrecv(out, dest, into, source, options);
  }

  /** Begins to send; the message must not change until the request is over (MPI_Isend; MPI 4.1, section 3.7.2). */
  isend(message: Message, dest: number, options?: SendOptions): Request {
    return this.#pointToPoint.isend(message, dest, options);
  }

  /** Begins to send; the request is over once the receiver has begun to receive (MPI_Issend). */
  issend(message: Message, dest: number, options?: SendOptions): Request {
    return this.#pointToPoint.issend(message, dest, options);
  }

  /** Begins to receive; the buffer holds the message once the request is over (MPI_Irecv). */
  irecv(message: Message, source?: number, options?: RecvOptions): Request {
    return this.#pointToPoint.irecv(message, source, options);
  }

  /** Prepares a send that is started many times (MPI_Send_init; MPI 4.1, section 3.9). */
  sendInit(message: Message, dest: number, options?: SendOptions): PersistentRequest {
    return this.#pointToPoint.sendInit(message, dest, options);
  }

  /** Prepares a synchronous send (ssend) that is started many times (MPI_Ssend_init). */
  ssendInit(message: Message, dest: number, options?: SendOptions): PersistentRequest {
    return this.#pointToPoint.ssendInit(message, dest, options);
  }

  /** Prepares a receive that is started many times (MPI_Recv_init). */
  recvInit(message: Message, source?: number, options?: RecvOptions): PersistentRequest {
    return this.#pointToPoint.recvInit(message, source, options);
  }

  /** Waits for a message without receiving it (MPI_Probe; MPI 4.1, section 3.8.1). */
  probe(source?: number, options?: RecvOptions): Status {
    return this.#pointToPoint.probe(source, options);
  }

  /** The status of a message that could be received now; undefined where there is none (MPI_Iprobe). */
  iprobe(source?: number, options?: RecvOptions): Status | undefined {
    return this.#pointToPoint.iprobe(source, options);
  }

  /** Waits for a message and takes it out, so that nobody else receives it (MPI_Mprobe; MPI 4.1, section 3.8.2). */
  mprobe(source?: number, options?: RecvOptions): MatchedMessage {
    return this.#pointToPoint.mprobe(source, options);
  }

  /** Takes a message out if one is there now; undefined if none is (MPI_Improbe). */
  improbe(source?: number, options?: RecvOptions): MatchedMessage | undefined {
    return this.#pointToPoint.improbe(source, options);
  }

  /** Returns once all ranks have called it (MPI_Barrier; MPI 4.1, section 6.3). */
  barrier(): void {
    this.#collectives.barrier().run();
  }

  /** Begins `barrier`; the request tells when it is over (MPI_Ibarrier). */
  ibarrier(): Request {
    return this.#collectives.barrier().begin();
  }

  /** Sends the root's elements to all ranks (MPI_Bcast; MPI 4.1, section 6.4). Default: rank 0 is the root. */
  bcast(message: Message, root?: number): void {
    this.#collectives.bcast(message, root).run();
  }

  /** Begins `bcast`; the request tells when it is over (MPI_Ibcast). */
  ibcast(message: Message, root?: number): Request {
    return this.#collectives.bcast(message, root).begin();
  }

  /**
   * Gathers all ranks' elements at the root, in the order of ranks (MPI_Gather; MPI 4.1, section 6.5). `received` holds
   * `size` parts as long as `sent`; only the root gives it. Default: rank 0 is the root.
   */
  gather(sent: Given, received?: Message, root?: number): void {
    this.#collectives.gather(sent, received, root).run();
  }

  /** Begins `gather`; the request tells when it is over (MPI_Igather). */
  igather(sent: Given, received?: Message, root?: number): Request {
    return this.#collectives.gather(sent, received, root).begin();
  }

  /** Gathers at the root, from each rank a part of its own length and place (MPI_Gatherv). */
  gatherv(sent: Given, received?: Parts, root?: number): void {
    this.#collectives.gatherv(sent, received, root).run();
  }

  /** Begins `gatherv`; the request tells when it is over (MPI_Igatherv). */
  igatherv(sent: Given, received?: Parts, root?: number): Request {
    return this.#collectives.gatherv(sent, received, root).begin();
  }

  /**
   * Sends each rank its part from the root, parts in the order of ranks (MPI_Scatter; MPI 4.1, section 6.6). `sent`
   * holds `size` parts as long as `received`; only the root gives it. Default: rank 0 is the root.
   */
  scatter(sent: Message | undefined, received: Given, root?: number): void {
    this.#collectives.scatter(sent, received, root).run();
  }

  /** Begins `scatter`; the request tells when it is over (MPI_Iscatter). */
  iscatter(sent: Message | undefined, received: Given, root?: number): Request {
    return this.#collectives.scatter(sent, received, root).begin();
  }

  /** Sends from the root to each rank a part of its own length and place (MPI_Scatterv). */
  scatterv(sent: Parts | undefined, received: Given, root?: number): void {
    this.#collectives.scatterv(sent, received, root).run();
  }

  /** Begins `scatterv`; the request tells when it is over (MPI_Iscatterv). */
  iscatterv(sent: Parts | undefined, received: Given, root?: number): Request {
    return this.#collectives.scatterv(sent, received, root).begin();
  }

  /** Gathers all ranks' elements on every rank, in the order of ranks (MPI_Allgather; MPI 4.1, section 6.7). */
  allgather(sent: Given, received: Message): void {
    this.#collectives.allgather(sent, received).run();
  }

  /** Begins `allgather`; the request tells when it is over (MPI_Iallgather). */
  iallgather(sent: Given, received: Message): Request {
    return this.#collectives.allgather(sent, received).begin();
  }

  /** Gathers on all ranks, from each a part of its own length and place (MPI_Allgatherv). */
  allgatherv(sent: Given, received: Parts): void {
    this.#collectives.allgatherv(sent, received).run();
  }

  /** Begins `allgatherv`; the request tells when it is over (MPI_Iallgatherv). */
  iallgatherv(sent: Given, received: Parts): Request {
    return this.#collectives.allgatherv(sent, received).begin();
  }

  /** Sends a part from each rank to each, equally long (MPI_Alltoall; MPI 4.1, section 6.8). */
  alltoall(sent: Given, received: Message): void {
    this.#collectives.alltoall(sent, received).run();
  }

  /** Begins `alltoall`; the request tells when it is over (MPI_Ialltoall). */
  ialltoall(sent: Given, received: Message): Request {
    return this.#collectives.alltoall(sent, received).begin();
  }

  /** Sends from each rank to each a part of its own length and place (MPI_Alltoallv). */
  alltoallv(sent: Parts | InPlace, received: Parts): void {
    this.#collectives.runAlltoallv(sent, received);
  }

  /** Begins `alltoallv`; the request tells when it is over (MPI_Ialltoallv). */
  ialltoallv(sent: Parts | InPlace, received: Parts): Request {
    return this.#collectives.alltoallv(sent, received).begin();
  }

  /** Sends from each rank to each a part of its own length, place and datatype (MPI_Alltoallw). */
  alltoallw(sent: TypedParts, received: TypedParts): void {
    this.#collectives.runAlltoallw(sent, received);
  }

  /** Begins `alltoallw`; the request tells when it is over (MPI_Ialltoallw). */
  ialltoallw(sent: TypedParts, received: TypedParts): Request {
    return this.#collectives.alltoallw(sent, received).begin();
  }

  /** Sends each rank's elements to all its neighbours (MPI_Neighbor_allgather; MPI 4.1, section 8.6). */
  neighborAllgather(sent: Message, received: Message): void {
    this.#collectives.neighborAllgather(sent, received).run();
  }

  /** Begins `neighborAllgather`; the request tells when it is over (MPI_Ineighbor_allgather). */
  ineighborAllgather(sent: Message, received: Message): Request {
    return this.#collectives.neighborAllgather(sent, received).begin();
  }

  /**
   * Sends each rank's elements to all its neighbours; received parts have lengths and places of their own
   * (MPI_Neighbor_allgatherv).
   */
  neighborAllgatherv(sent: Message, received: Parts): void {
    this.#collectives.neighborAllgatherv(sent, received).run();
  }

  /** Begins `neighborAllgatherv`; the request tells when it is over (MPI_Ineighbor_allgatherv). */
  ineighborAllgatherv(sent: Message, received: Parts): Request {
    return this.#collectives.neighborAllgatherv(sent, received).begin();
  }

  /** Sends a part from each rank to each of its neighbours (MPI_Neighbor_alltoall). */
  neighborAlltoall(sent: Message, received: Message): void {
    this.#collectives.neighborAlltoall(sent, received).run();
  }

  /** Begins `neighborAlltoall`; the request tells when it is over (MPI_Ineighbor_alltoall). */
  ineighborAlltoall(sent: Message, received: Message): Request {
    return this.#collectives.neighborAlltoall(sent, received).begin();
  }

  /** Sends each neighbour a part of its own length and place (MPI_Neighbor_alltoallv). */
  neighborAlltoallv(sent: Parts, received: Parts): void {
    this.#collectives.neighborAlltoallv(sent, received).run();
  }

  /** Begins `neighborAlltoallv`; the request tells when it is over (MPI_Ineighbor_alltoallv). */
  ineighborAlltoallv(sent: Parts, received: Parts): Request {
    return this.#collectives.neighborAlltoallv(sent, received).begin();
  }

  /** Sends each neighbour a part of its own length, place and datatype (MPI_Neighbor_alltoallw). */
  neighborAlltoallw(sent: TypedParts, received: TypedParts): void {
    this.#collectives.neighborAlltoallw(sent, received).run();
  }

  /** Begins `neighborAlltoallw`; the request tells when it is over (MPI_Ineighbor_alltoallw). */
  ineighborAlltoallw(sent: TypedParts, received: TypedParts): Request {
    return this.#collectives.neighborAlltoallw(sent, received).begin();
  }

  /**
   * Exchanges messages between each rank and its peers, each message with a datatype of its own: an alltoallw whose
   * cost does not grow with the number of ranks. All ranks call it; maps have the peers as keys, and are empty for
   * none.
   *
   * @example
   * ```typescript
   * const next = (comm.rank + 1) % comm.size;
   * const before = (comm.rank + comm.size - 1) % comm.size;
   * const arrived = new Float64Array(1);
   * comm.alltoallPeers(new Map([[next, Float64Array.of(comm.rank)]]), new Map([[before, arrived]]));
   * ```
   */
  alltoallPeers(sent: PeerMessages, received: PeerMessages, options?: WaitOptions): void {
    this.#collectives.alltoallPeers(sent, received).run(options);
  }

  /** Begins `alltoallPeers`; the request tells when it is over. */
  ialltoallPeers(sent: PeerMessages, received: PeerMessages): Request {
    return this.#collectives.alltoallPeers(sent, received).begin();
  }

  /**
   * Combines all ranks' elements, one by one; the root gets the result (MPI_Reduce; MPI 4.1, section 6.9). All ranks
   * give as many elements of the same basic type; they may be scattered. Default: the sum, at rank 0.
   */
  reduce(sent: Given, received?: Message, options?: ReduceOptions, root?: number): void {
    this.#reductions.reduce(sent, received, options, root).run();
  }

  /** Begins `reduce`; the request tells when it is over (MPI_Ireduce). */
  ireduce(sent: Given, received?: Message, options?: ReduceOptions, root?: number): Request {
    return this.#reductions.reduce(sent, received, options, root).begin();
  }

  /** Combines all ranks' elements; each rank gets the result, with the same bits (MPI_Allreduce). */
  allreduce(sent: Given, received: Message, options?: ReduceOptions): void {
    this.#reductions.allreduce(sent, received, options).run();
  }

  /** Begins `allreduce`; the request tells when it is over (MPI_Iallreduce). */
  iallreduce(sent: Given, received: Message, options?: ReduceOptions): Request {
    return this.#reductions.allreduce(sent, received, options).begin();
  }

  /**
   * Combines all ranks' elements; each rank gets one part of the result, all parts equally long
   * (MPI_Reduce_scatter_block). In place, the part is written where the elements begin.
   */
  reduceScatterBlock(sent: Given, received: Message, options?: ReduceOptions): void {
    this.#reductions.reduceScatterBlock(sent, received, options).run();
  }

  /** Begins `reduceScatterBlock`; the request tells when it is over (MPI_Ireduce_scatter_block). */
  ireduceScatterBlock(sent: Given, received: Message, options?: ReduceOptions): Request {
    return this.#reductions.reduceScatterBlock(sent, received, options).begin();
  }

  /**
   * Combines all ranks' elements; rank i gets a part of the result, of counts[i] elements of the received type
   * (MPI_Reduce_scatter).
   */
  reduceScatter(sent: Given, received: Message, counts: readonly number[], options?: ReduceOptions): void {
    this.#reductions.reduceScatter(sent, received, counts, options).run();
  }

  /** Begins `reduceScatter`; the request tells when it is over (MPI_Ireduce_scatter). */
  ireduceScatter(sent: Given, received: Message, counts: readonly number[], options?: ReduceOptions): Request {
    return this.#reductions.reduceScatter(sent, received, counts, options).begin();
  }

  /** Combines, for each rank, the elements of the ranks from 0 to it (MPI_Scan; MPI 4.1, section 6.11). */
  scan(sent: Given, received: Message, options?: ReduceOptions): void {
    this.#reductions.scan(sent, received, options).run();
  }

  /** Begins `scan`; the request tells when it is over (MPI_Iscan). */
  iscan(sent: Given, received: Message, options?: ReduceOptions): Request {
    return this.#reductions.scan(sent, received, options).begin();
  }

  /** Combines, for each rank, the elements of the ranks before it; rank 0 gets nothing (MPI_Exscan). */
  exscan(sent: Given, received: Message, options?: ReduceOptions): void {
    this.#reductions.exscan(sent, received, options).run();
  }

  /** Begins `exscan`; the request tells when it is over (MPI_Iexscan). */
  iexscan(sent: Given, received: Message, options?: ReduceOptions): Request {
    return this.#reductions.exscan(sent, received, options).begin();
  }

  /** Says how a reduction of these elements to all ranks would go, and why. Nothing is sent. */
  planReduction(message: Message, options?: ReduceOptions): ReductionPlan {
    return this.#reductions.planReduction(message, options);
  }

  /** The coordinates of a rank in the grid, one a dimension; default: this rank's (MPI_Cart_coords). */
  coords(rank?: number): readonly number[] {
    return this.#topology.coords(rank);
  }

  /** How many dimensions the grid has (MPI_Cartdim_get). */
  get dimensions(): number {
    return this.#topology.dimensions;
  }

  /** The rank at these coordinates of the grid, one a dimension (MPI_Cart_rank). */
  cartRank(coords: readonly number[]): number {
    return this.#topology.cartRank(coords);
  }

  /**
   * The ranks before and behind this one along a dimension (`direction`, from 0) of the grid, `displacement` steps away
   * (MPI_Cart_shift; MPI 4.1, section 8.5.6). Default: 1 step.
   */
  shift(direction: number, displacement?: number): Shift {
    return this.#topology.shift(direction, displacement);
  }

  /**
   * The ranks that neighbour collectives send to and receive from, in their order. MPI is asked once: a topology does
   * not change. Throws a BridgeError where the communicator has none.
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
