import { MeasuredAccumulates } from "./accumulate-plan.js";
import type { Span } from "@stowage/backend-api";
import { quoted } from "@stowage/ir";
import { MpiError, type Accumulation } from "@stowage/mpi-abi";
import type { Message } from "../message/place/message.js";
import { isOnHost, isThere, type Placed } from "../message/place/placed.js";
import type { Communicator } from "../communicator/communicator.js";
import { NO_HINTS } from "../message/datatype/hints.js";
import { BridgeError } from "../errors.js";
import type { Bare } from "../message/place/bare.js";
import type { CallName } from "../native/prototypes.js";
import { MOST_INT } from "../message/datatype/large-datatype.js";
import { A_BOOLEAN, A_TIME_LIMIT, ANYTHING, givenOptions, integerFrom, oneOf, rulesOf } from "../option-rules.js";
import { handleList, type HandleList } from "../native/words.js";
import type { Request, WaitOptions } from "../message/requests/request.js";
import type { Context } from "../message/context.js";
import { shortOperation, type OperationName } from "../parts/reductions/operation-name.js";
import type { AccumulatePlan } from "./accumulate-plan.js";
import { A_PEER_KIND, requireCommunicator, type PeerKind } from "../communicator/peer-kind.js";
import { Epochs, type LockKind } from "./epochs.js";
import { awaitLock, EXPOSED } from "./held-lock.js";
import { measureAccumulates, type Open } from "./measure-accumulates.js";
import type { Told } from "./operation.js";
import { PackedEpoch } from "./packed-epoch.js";
import { RemoteWindows } from "./remote-windows.js";
import { StagedOrigins } from "./staged-origins.js";
import { checkTarget, TARGET_OPTIONS, type CheckedTarget, type Exposed, type Target } from "./target.js";
import { WindowCarriers, type AskedCarrier, type Operated } from "./window-carriers.js";

/** What `World.createWindow` takes. */
export interface WindowOptions {
  /** How many bytes a displacement into this rank's window counts, 1 to 2^31 - 1. Default: 1. */
  readonly unitBytes?: number;
  /**
   * How operations between fences travel: "native", "packed" or "auto"; those under a lock go natively. Default:
   * "auto".
   */
  readonly carrier?: AskedCarrier | undefined;
  /** @deprecated `carrier` says the same. */
  readonly route?: AskedCarrier | undefined;
  /**
   * "any": some ranks may be C or Python programs, which make the same window and fences; operations go natively, and
   * where they reach in another rank's window is not checked. Default: "ours", programs of this package.
   */
  readonly peers?: PeerKind;
}

/** Options of a fence. */
export interface FenceOptions extends WaitOptions {
  /** Whether no operation follows until the next fence: locks may (MPI_MODE_NOSUCCEED). Default: false. */
  readonly last?: boolean;
}

/** Options of an accumulate. */
export interface AccumulateOptions {
  /** The operation that combines elements, such as "sum" or "MPI_REPLACE". Default: "sum". */
  readonly op?: OperationName<Accumulation>;
}

const CARRIER = oneOf("native", "packed", "auto");
const WINDOW_OPTIONS = rulesOf<WindowOptions>({
  unitBytes: integerFrom(1, MOST_INT),
  carrier: CARRIER,
  route: CARRIER,
  peers: A_PEER_KIND,
});
const FENCE_OPTIONS = rulesOf<FenceOptions>({ last: A_BOOLEAN, timeoutMs: A_TIME_LIMIT });
const ACCUMULATE_OPTIONS = rulesOf<AccumulateOptions>({ op: ANYTHING });

type Act = Told["act"];

/**
 * Memory of this rank that others read and write, and theirs (MPI 4.1, chapter 12). Operations happen in an epoch,
 * between fences or under a lock; outside one they throw a BridgeError, as they do for a target outside the other
 * rank's window or of other basic types. What MPI refuses is an MpiError, with MPI's class and text.
 */
export class Window implements Disposable {
  readonly #context: Context;
  readonly #comm: Communicator;
  /** Open MPI 4.1 makes no window of one rank: we carry out its operations ourselves, in every MPI. */
  readonly #isAlone: boolean;
  /** Other ranks may be programs that know nothing of this package: the MPI's own calls are all there is. */
  readonly #isAmongOthers: boolean;
  readonly #cell: HandleList;
  readonly #exposed: readonly Exposed[];
  readonly #carrier: AskedCarrier;
  readonly #packed: PackedEpoch;
  readonly #staged: StagedOrigins;
  readonly #epochs: Epochs;
  /** Where some rank's window lies in a device's memory. */
  readonly #remote: RemoteWindows | undefined;
  readonly #carriers: WindowCarriers;
  /** What MPI may touch until the epoch ends. */
  readonly #held: Placed[] = [];
  #freed = false;

  /** @internal All ranks of the communicator call it. */
  constructor(context: Context, comm: Communicator, memory: ArrayBufferView | Span, options: WindowOptions) {
    const {
      unitBytes = 1,
      route = "auto",
      carrier = route,
      peers = "ours",
    } = givenOptions(options, WINDOW_OPTIONS, "options of a window");
    requireCommunicator("communicator of a window", comm);
    const { native } = context;
    this.#context = context;
    const placed = context.places.of(memory);
    this.#isAlone = comm.size === 1;
    this.#isAmongOthers = peers === "any" && !this.#isAlone;
    if (this.#isAmongOthers) requireNative(carrier, placed);
    else comm.requireFellows("window", '{ peers: "any" }');
    this.#carrier = this.#isAlone ? "packed" : this.#isAmongOthers ? "native" : carrier;
    this.#comm = this.#isAmongOthers ? comm : comm.dup();
    this.#cell = handleList(native.mpi, 0);
    const { infoNull } = native.constants;
    // No MPI at hand reaches a device: between fences this rank itself carries out what others ask of such a window.
    const exposed = isOnHost(placed) ? [placed.address, placed.sizeBytes, unitBytes] : [EXPOSED.address, 1, 1];
    made(() => this.#native("MPI_Win_create", ...exposed, infoNull, comm.handle, this.#cell.address));
    this.#native("MPI_Win_set_errhandler", this.handle, native.mpi.constants.errorsReturn);
    this.#exposed = this.#isAmongOthers
      ? Array.from({ length: comm.size }, () => UNTOLD)
      : exposedBy(this.#comm, { sizeBytes: placed.sizeBytes, unitBytes, isOnDevice: !isOnHost(placed) });
    const isRemote = !this.#isAlone && this.#exposed.some(({ isOnDevice }) => isOnDevice);
    this.#remote = isRemote ? new RemoteWindows(context, this.#comm, placed) : undefined;
    this.#packed = new PackedEpoch(context, this.#comm, placed.buffer, placed.originBytes);
    this.#staged = new StagedOrigins(context);
    this.#epochs = new Epochs(comm.size);
    const how = { carrier: this.#carrier, isAlone: this.#isAlone, hints: () => this.#comm.settings.hints ?? NO_HINTS };
    this.#carriers = new WindowCarriers(context, this.#epochs, how);
    this.#held.push(placed); // for good: it is the window
  }

  /** The MPI_Win handle, as a number of the MPI's ABI. */
  get handle(): number {
    this.#requireInUse();
    return this.#cell.get(0);
  }

  /** Writes into another rank's window (MPI_Put); done when the epoch ends: the message must not change until then. */
  put(message: Message, rank: number, target: Target = {}): void {
    this.#operate("put", message, rank, target);
  }

  /** Reads from another rank's window (MPI_Get); the message holds it when the epoch ends. */
  get(message: Message, rank: number, target: Target = {}): void {
    this.#operate("get", message, rank, target);
  }

  /** Combines element by element into another rank's window (MPI_Accumulate); done when the epoch ends. */
  accumulate(message: Message, rank: number, target: Target = {}, options: AccumulateOptions = {}): void {
    const { op = "sum" } = givenOptions(options, ACCUMULATE_OPTIONS);
    this.#operate("accumulate", message, rank, target, this.#requireOp(op));
  }

  /** Says how an accumulate that were made now would travel, and why. Nothing is sent. */
  planAccumulate(message: Message, rank: number, target: Target = {}, options: AccumulateOptions = {}): AccumulatePlan {
    const { op = "sum" } = givenOptions(options, ACCUMULATE_OPTIONS);
    return this.#carriers.plan(this.#operated("accumulate", message, rank, target, this.#requireOp(op)));
  }

  #requireOp(given: OperationName<Accumulation>): Accumulation {
    const op = typeof given === "string" ? shortOperation(given) : undefined;
    if (op !== undefined && this.#context.native.constants.accumulations[op] !== undefined) return op;
    throw new BridgeError("op of an accumulate", "one of MPI's, such as sum", quoted(given));
  }

  /**
   * Ends the epoch and begins the next (MPI_Win_fence; MPI 4.1, section 12.5.1): operations before it are done on all
   * ranks. All ranks call it. Throws a MpiTimeoutError where the others have not come within the time limit, a
   * BridgeError under a lock.
   */
  fence(options: FenceOptions = {}): void {
    this.#requireInUse();
    const { last = false, timeoutMs = this.#limitMs } = givenOptions(options, FENCE_OPTIONS);
    if (this.#isAmongOthers && timeoutMs !== undefined)
      throw new BridgeError("time limit of a fence", 'none in a window with { peers: "any" }', `${timeoutMs} ms`);
    this.#epochs.requireUnlocked("fence");
    if (timeoutMs !== undefined) this.#awaitAll(timeoutMs);
    this.#epochs.fence(last);
    this.#native("MPI_Win_fence", 0, this.handle);
    const wanted = this.#carriers.endEpoch();
    if (this.#mayPack) this.#endPacked(wanted);
    this.#letGo();
  }

  get #limitMs(): number | undefined {
    return this.#isAmongOthers ? undefined : this.#comm.settings.timeoutMs;
  }

  #endPacked(wanted: boolean): void {
    const { isUsed, wantsTerms } = this.#packed.asked(wanted);
    if (isUsed) {
      // Behind the fence: what went natively is in its place, and what follows waits for the second one.
      this.#packed.carryOut();
      this.#native("MPI_Win_fence", 0, this.handle);
    }
    if (!wantsTerms) return;
    const open: Open = (memory, carrier) => new Window(this.#context, this.#comm, memory, { carrier, unitBytes: 8 });
    this.#context.only(MeasuredAccumulates).terms = measureAccumulates(open, (this.#comm.rank + 1) % this.#comm.size);
  }

  /** Whether operations may be packed: the answer is alike on all ranks. */
  get #mayPack(): boolean {
    return this.#carrier !== "native" || this.#exposed.some(({ isOnDevice }) => isOnDevice);
  }

  #arriving: Request | undefined;

  /** MPI_Win_fence cannot be given up: a barrier goes before it. One that was given up is the next fence's. */
  #awaitAll(timeoutMs: number): void {
    this.#arriving ??= this.#comm.ibarrier();
    this.#arriving.wait({ timeoutMs });
    this.#arriving = undefined;
  }

  /** Begins an epoch with one rank, which takes no part (MPI_Win_lock). Waits while another's lock excludes it. */
  lock(rank: number, kind: LockKind = "shared"): void {
    this.#requireInUse();
    const { locks } = this.#context.native.constants;
    if (typeof kind !== "string" || !Object.hasOwn(locks, kind))
      throw new BridgeError("lock of a window", "exclusive or shared", quoted(kind));
    this.#epochs.lock(rank);
    this.#native("MPI_Win_lock", locks[kind], rank, 0, this.handle);
  }

  /** Ends the epoch with one rank: operations are done on both sides (MPI_Win_unlock). */
  unlock(rank: number): void {
    this.#epochs.unlock(rank);
    this.#native("MPI_Win_unlock", rank, this.handle);
    this.#carryOutAlone();
    this.#staged.settle(rank);
    if (!this.#epochs.isLocked) this.#letGo();
  }

  /** Begins an epoch with all ranks, shared (MPI_Win_lock_all). */
  lockAll(): void {
    this.#requireInUse();
    this.#epochs.lockAll();
    this.#native("MPI_Win_lock_all", 0, this.handle);
  }

  /** Ends the epoch with all ranks: operations are done on both sides (MPI_Win_unlock_all). */
  unlockAll(): void {
    this.#epochs.unlockAll();
    this.#native("MPI_Win_unlock_all", this.handle);
    this.#carryOutAlone();
    this.#letGo();
  }

  /**
   * Returns once operations with one rank, or with all, are done on both sides; the lock stays (MPI_Win_flush,
   * MPI_Win_flush_all). Throws a BridgeError where that rank is not locked.
   */
  flush(rank?: number): void {
    this.#requireInUse();
    this.#epochs.requireLocked(rank);
    if (rank === undefined) this.#native("MPI_Win_flush_all", this.handle);
    else this.#native("MPI_Win_flush", rank, this.handle);
    this.#carryOutAlone();
    this.#staged.settle(rank);
  }

  /** Frees the window: the memory is this rank's alone again (MPI_Win_free). All ranks call it, outside an epoch. */
  free(): void {
    this.#requireInUse();
    this.#epochs.requireUnlocked("free");
    this.#freed = true;
    this.#native("MPI_Win_free", this.#cell.address);
    this.#remote?.free();
    this.#packed[Symbol.dispose]();
    if (!this.#isAmongOthers) this.#comm.free();
  }

  [Symbol.dispose](): void {
    if (!this.#freed && this.#context.native.isRunning) this.free();
  }

  #requireInUse(): void {
    if (this.#freed) throw new BridgeError("window", "one in use", "a freed one");
  }

  /**
   * Throws a BridgeError unless the memory of the window, and of operations of this epoch, is there: what others do
   * reaches it in any call of MPI.
   */
  #requireMemory(): void {
    if (this.#held.every(isThere)) return;
    const error = new BridgeError(
      "window",
      "its memory, and that of its operations, until the epoch ends",
      "a buffer that was transferred away",
    );
    this.#context.native.lose(error);
    throw error;
  }

  #native(name: CallName, ...args: number[]): void {
    this.#requireMemory();
    if (this.#isAlone) return this.#context.native.requireRunning(name);
    this.#context.native.call(name, ...args);
  }

  #carryOutAlone(): void {
    if (this.#isAlone) this.#packed.carryOut();
  }

  #operate(act: Act, message: Message, rank: number, target: Target, op?: Accumulation): void {
    const operated = this.#operated(act, message, rank, target, op);
    const { origin, target: checked } = operated;
    const carrier = this.#carriers.carrierOf(operated);
    if (carrier === "packed") return this.#packed.add(act, origin, checked, op);
    if (carrier === "remote") return this.#operateRemotely(act, origin, checked, op);
    origin.type.hold();
    checked.type.hold();
    this.#held.push(origin, { ...origin, type: checked.type });
    this.#call(act, origin, checked, op);
  }

  /** Throws a BridgeError for an operation that cannot be. */
  #operated(act: Act, message: Message, rank: number, target: Target, op?: Accumulation): Operated {
    this.#requireInUse();
    const exposed = typeof rank === "number" ? this.#exposed[rank] : undefined;
    if (exposed === undefined)
      throw new BridgeError(`${act} to a rank`, `one of 0 to ${this.#exposed.length - 1}`, quoted(rank));
    const { places, types } = this.#context;
    const origin = places.of(message);
    const { datatype } = givenOptions(target, TARGET_OPTIONS, "target of an operation");
    const type = datatype === undefined ? origin.type : types.of(datatype);
    const checked = checkTarget(act, origin, rank, exposed, target, type);
    this.#epochs.requireOpen(act, rank);
    return { origin, target: checked, exposed, op };
  }

  /** Done at once: under a lock the target's memory is reached without it. */
  #operateRemotely(act: Act, origin: Placed, target: CheckedTarget, op: Accumulation = "replace"): void {
    const remote = this.#remote as RemoteWindows;
    if (this.#epochs.hold(target.rank)) awaitLock(this.#context, target.rank, this.handle);
    if (act === "accumulate") remote.accumulate(origin, target, op);
    else remote[act](origin, target);
  }

  #call(act: Act, origin: Placed, target: CheckedTarget, op: Accumulation | undefined): void {
    const { native } = this.#context;
    const from = isOnHost(origin) ? sideOf(origin) : this.#staged.add(act, origin, target.rank);
    const into = sideOf(target);
    const of = [from.address, from.count, from.handle, target.rank, target.displacement, into.count, into.handle];
    const rest = op === undefined ? [] : [native.constants.accumulations[op]];
    native.call(CALLS[act], ...of, ...rest, this.handle);
  }

  #letGo(): void {
    this.#staged.settle();
    for (const { type } of this.#held.splice(1)) type.release();
  }
}

/** What is known of the window of a program that tells nothing. */
const UNTOLD: Exposed = Object.freeze({ sizeBytes: undefined, unitBytes: 1, isOnDevice: false });

/** What each rank has put into a window. All ranks call it. */
function exposedBy(comm: Communicator, own: Exposed): readonly Exposed[] {
  const told = new Float64Array(3 * comm.size);
  comm.allgather(Float64Array.of(own.sizeBytes as number, own.unitBytes, Number(own.isOnDevice)), told);
  return Array.from({ length: comm.size }, (_, rank) => {
    const [sizeBytes, unitBytes, isOnDevice] = told.subarray(3 * rank) as unknown as [number, number, number];
    return { sizeBytes, unitBytes, isOnDevice: isOnDevice === 1 };
  });
}

function requireNative(carrier: string, placed: Placed): void {
  const subject = 'window with { peers: "any" }';
  if (carrier === "packed") throw new BridgeError(subject, "the carrier native", "packed");
  if (!isOnHost(placed)) throw new BridgeError(subject, "memory of the host", "a device's");
}

const CALLS: Readonly<Record<Act, CallName>> = { put: "MPI_Put", get: "MPI_Get", accumulate: "MPI_Accumulate" };

const sideOf = ({ type, count, address = 0 }: Pick<Placed, "type" | "count"> & Partial<Placed>): Bare =>
  type.dense === undefined
    ? { address, count, handle: type.native }
    : { address, count: count * type.dense.perElement, handle: type.dense.handle };

/** Makes a window; Open MPI 4 answers MPI_ERR_WIN where no component for one-sided communication takes the machine. */
function made(create: () => void): void {
  try {
    create();
  } catch (cause) {
    if (!(cause instanceof MpiError) || cause.errorClass !== "MPI_ERR_WIN") throw cause;
    const advice = "Open MPI 4 without process_vm_readv has it where it is started with OMPI_MCA_osc=pt2pt";
    const got = `${cause.message} (${advice})`;
    throw new BridgeError("window", "an MPI with one-sided communication here", got, { cause });
  }
}
