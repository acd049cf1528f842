import { hostMemory, reachOf, type Span } from "@stowage/backend-api";
import { quoted } from "@stowage/ir";
import type { Accumulation } from "@stowage/mpi-abi";
import type { Message } from "../buffer/message.js";
import { isOnHost, type HostPlaced, type Placed } from "../buffer/placed.js";
import type { Communicator } from "../communicator/communicator.js";
import { chooseRoute } from "../datatype/choose-route.js";
import type { Hints, Route } from "../datatype/hints.js";
import { BridgeError } from "../errors.js";
import type { Bare } from "../files/native-file.js";
import type { CallName } from "../native/prototypes.js";
import { handleList, type HandleList } from "../native/words.js";
import type { Request, WaitOptions } from "../request/request.js";
import type { Context } from "../world/context.js";
import { Epochs, type LockKind } from "./epochs.js";
import type { Told } from "./operation.js";
import { PackedEpoch } from "./packed-epoch.js";
import { RemoteWindows } from "./remote-windows.js";
import { StagedOrigins } from "./staged-origins.js";
import { checkTarget, type CheckedTarget, type Exposed, type Target } from "./target.js";

export interface WindowOptions {
  /** Bytes that a displacement counts. Default: 1. */
  readonly unitBytes?: number;
  /** How operations between fences travel; those under a lock go natively. Default: "auto". */
  readonly route?: Hints["route"];
}

export interface FenceOptions extends WaitOptions {
  /** No operation follows: locks may. Default: false. */
  readonly last?: boolean;
}

/** Below this, telling a target what arrives weighs more than packing it. */
const LEAST_PACKED_BYTES = 4096;

const MOST_MEASURED_BYTES = 256 * 1024;

/** Memory of this rank that others read and write, and theirs (MPI 4.1, chapter 12). Its errors are thrown, with MPI's class and text. */
export class Window implements Disposable {
  readonly #context: Context;
  readonly #comm: Communicator;
  /** Open MPI 4.1 makes no window of one rank: we carry out its operations ourselves, in every MPI. */
  readonly #isAlone: boolean;
  readonly #cell: HandleList;
  readonly #exposed: readonly Exposed[];
  readonly #route: NonNullable<Hints["route"]>;
  readonly #packed: PackedEpoch;
  readonly #staged: StagedOrigins;
  readonly #epochs: Epochs;
  /** Where some rank's window lies in a device's memory. */
  readonly #remote: RemoteWindows | undefined;
  /** What MPI may touch until the epoch ends. */
  readonly #held: Placed[] = [];
  #freed = false;

  /** @internal All ranks of the communicator call it. */
  constructor(context: Context, comm: Communicator, memory: ArrayBufferView | Span, options: WindowOptions) {
    const { unitBytes = 1, route = "auto" } = options;
    if (!Number.isSafeInteger(unitBytes) || unitBytes < 1 || unitBytes > 2 ** 31 - 1)
      throw new BridgeError("unit of a window", "bytes of 1 or more", quoted(unitBytes));
    const { native } = context;
    this.#context = context;
    this.#route = comm.size === 1 ? "packed" : route;
    this.#comm = comm.dup();
    const placed = context.places.of(memory);
    this.#isAlone = comm.size === 1;
    this.#cell = handleList(native.mpi, 0);
    const { infoNull } = native.constants;
    // No MPI at hand reaches a device: between fences this rank itself carries out what others ask of such a window.
    const exposed = isOnHost(placed) ? [placed.address, placed.sizeBytes, unitBytes] : [0, 0, unitBytes];
    this.#native("MPI_Win_create", ...exposed, infoNull, comm.handle, this.#cell.address);
    this.#native("MPI_Win_set_errhandler", this.handle, native.mpi.constants.errorsReturn);
    const told = new Float64Array(3 * comm.size);
    this.#comm.allgather(Float64Array.of(placed.sizeBytes, unitBytes, isOnHost(placed) ? 0 : 1), told);
    this.#exposed = Array.from({ length: comm.size }, (_, rank) => ({
      sizeBytes: told[3 * rank] as number,
      unitBytes: told[3 * rank + 1] as number,
      isOnDevice: told[3 * rank + 2] === 1,
    }));
    const isRemote = !this.#isAlone && this.#exposed.some(({ isOnDevice }) => isOnDevice);
    this.#remote = isRemote ? new RemoteWindows(context, this.#comm, placed) : undefined;
    this.#packed = new PackedEpoch(context, this.#comm, placed.buffer, placed.originBytes);
    this.#staged = new StagedOrigins(context);
    this.#epochs = new Epochs(comm.size);
    this.#held.push(placed); // for good: it is the window
  }

  /** MPI_Win, as the ABI has it. */
  get handle(): number {
    return this.#cell.get(0);
  }

  /** Writes into another rank's window (MPI_Put); done when the epoch ends, and the message may not change until then. */
  put(message: Message, rank: number, target: Target = {}): void {
    this.#operate("put", message, rank, target);
  }

  /** Reads from another rank's window (MPI_Get); the message holds it when the epoch ends. */
  get(message: Message, rank: number, target: Target = {}): void {
    this.#operate("get", message, rank, target);
  }

  /** Combines element by element into another rank's window (MPI_Accumulate); done when the epoch ends. */
  accumulate(
    message: Message,
    rank: number,
    target: Target = {},
    { op = "sum" }: { readonly op?: Accumulation } = {},
  ): void {
    if (this.#context.native.constants.accumulations[op] === undefined)
      throw new BridgeError("op of an accumulate", "one of MPI's, such as sum", quoted(op));
    this.#operate("accumulate", message, rank, target, op);
  }

  /** Ends what all ranks began and lets them begin anew (MPI_Win_fence). All ranks call it; a time limit is for the others to come. */
  fence({ last = false, timeoutMs = this.#comm.settings.timeoutMs }: FenceOptions = {}): void {
    this.#epochs.requireUnlocked("fence");
    if (timeoutMs !== undefined) this.#awaitAll(timeoutMs);
    this.#epochs.fence(last);
    this.#native("MPI_Win_fence", 0, this.handle);
    if (this.#mayPack && this.#packed.isUsed()) {
      // Behind the fence: what went natively is in its place, and what follows waits for the second one.
      this.#packed.carryOut();
      this.#native("MPI_Win_fence", 0, this.handle);
    }
    this.#letGo();
  }

  /** The same on all ranks. */
  get #mayPack(): boolean {
    return this.#route !== "native" || this.#exposed.some(({ isOnDevice }) => isOnDevice);
  }

  #arriving: Request | undefined;

  /** MPI_Win_fence cannot be given up: a barrier goes before it. One that was given up is the next fence's. */
  #awaitAll(timeoutMs: number): void {
    this.#arriving ??= this.#comm.ibarrier();
    this.#arriving.wait({ timeoutMs });
    this.#arriving = undefined;
  }

  /** Begins an epoch with one rank, which takes no part in it (MPI_Win_lock). Waits while another rank has a lock that excludes it. */
  lock(rank: number, kind: LockKind = "shared"): void {
    const { locks } = this.#context.native.constants;
    this.#epochs.lock(rank);
    this.#native("MPI_Win_lock", locks[kind], rank, 0, this.handle);
  }

  /** Ends it: operations are done on both sides (MPI_Win_unlock). */
  unlock(rank: number): void {
    this.#epochs.unlock(rank);
    this.#native("MPI_Win_unlock", rank, this.handle);
    this.#carryOutAlone();
    this.#staged.settle(rank);
    if (!this.#epochs.isLocked) this.#letGo();
  }

  /** Begins an epoch with all ranks, shared (MPI_Win_lock_all). */
  lockAll(): void {
    this.#epochs.lockAll();
    this.#native("MPI_Win_lock_all", 0, this.handle);
  }

  unlockAll(): void {
    this.#epochs.unlockAll();
    this.#native("MPI_Win_unlock_all", this.handle);
    this.#carryOutAlone();
    this.#letGo();
  }

  /** Operations with one rank, or with all, are done on both sides; the lock stays (MPI_Win_flush, MPI_Win_flush_all). */
  flush(rank?: number): void {
    this.#epochs.requireLocked(rank);
    if (rank === undefined) this.#native("MPI_Win_flush_all", this.handle);
    else this.#native("MPI_Win_flush", rank, this.handle);
    this.#carryOutAlone();
    this.#staged.settle(rank);
  }

  /** The memory is this rank's alone again (MPI_Win_free). All ranks call it, outside an epoch. */
  free(): void {
    if (this.#freed) throw new BridgeError("window", "one in use", "a freed one");
    this.#epochs.requireUnlocked("free");
    this.#freed = true;
    this.#native("MPI_Win_free", this.#cell.address);
    this.#remote?.free();
    this.#packed[Symbol.dispose]();
    this.#comm.free();
  }

  [Symbol.dispose](): void {
    if (!this.#freed && this.#context.native.isRunning) this.free();
  }

  #native(name: CallName, ...args: number[]): void {
    if (this.#isAlone) return this.#context.native.requireRunning(name);
    this.#context.native.call(name, ...args);
  }

  #carryOutAlone(): void {
    if (this.#isAlone) this.#packed.carryOut();
  }

  #operate(act: Told["act"], message: Message, rank: number, target: Target, op?: Accumulation): void {
    if (this.#freed) throw new BridgeError("window", "one in use", "a freed one");
    const exposed = this.#exposed[rank];
    if (exposed === undefined)
      throw new BridgeError(`${act} to a rank`, `one of 0 to ${this.#exposed.length - 1}`, quoted(rank));
    const { places, types } = this.#context;
    const origin = places.of(message);
    const type = target.datatype === undefined ? origin.type : types.of(target.datatype);
    const checked = checkTarget(act, origin, rank, exposed, target, type);
    this.#epochs.requireOpen(act, rank);
    const route = this.#routeOf(origin, checked, exposed, op);
    if (route === "packed") return this.#packed.add(act, origin, checked, op);
    if (route === "remote") return this.#operateRemotely(act, origin, checked, op);
    origin.type.hold();
    type.hold();
    this.#held.push(origin, { ...origin, type });
    this.#call(act, origin, checked, op);
  }

  /** Done at once: under a lock the target's memory is reached without it. */
  #operateRemotely(act: Told["act"], origin: Placed, target: CheckedTarget, op: Accumulation = "replace"): void {
    const remote = this.#remote as RemoteWindows;
    if (act === "accumulate") remote.accumulate(origin, target, op);
    else remote[act](origin, target);
  }

  #call(act: Told["act"], origin: Placed, target: CheckedTarget, op: Accumulation | undefined): void {
    const { native } = this.#context;
    const from = isOnHost(origin) ? sideOf(origin) : this.#staged.add(act, origin, target.rank);
    const into = sideOf(target);
    const of = [from.address, from.count, from.handle, target.rank, target.displacement, into.count, into.handle];
    const rest = op === undefined ? [] : [native.constants.accumulations[op]];
    native.call(CALLS[act], ...of, ...rest, this.handle);
  }

  /** Between fences both ends can pack; a target under a lock knows nothing of it: memory of its GPU is reached remotely. */
  #routeOf(
    origin: Placed,
    target: CheckedTarget,
    { isOnDevice }: Exposed,
    op: Accumulation | undefined,
  ): Route | "remote" {
    if (this.#isAlone) return "packed";
    if (isOnDevice) return this.#epochs.isFenced ? "packed" : "remote";
    if (!this.#epochs.isFenced || !isOnHost(origin)) return "native";
    if (this.#route !== "auto") return this.#route;
    const scattered = [origin.type, target.type].filter((type) => type.direct === undefined);
    if (op !== undefined || scattered.length === 0 || origin.sizeBytes < LEAST_PACKED_BYTES) return "native";
    // Their own packing and unpacking are what native operations save or cost.
    const routes = scattered.map((type) =>
      this.#measuredRoute(type === origin.type ? origin : this.#scratchOf(target)),
    );
    return routes.includes("packed") ? "packed" : "native";
  }

  #measuredRoute(placed: HostPlaced): Route {
    const { native, staging } = this.#context;
    return chooseRoute(native.mpi, placed, this.#comm.settings.hints ?? {}, staging);
  }

  /** The target's elements in memory of this rank, for measuring. */
  #scratchOf({ type, count }: CheckedTarget): HostPlaced {
    const most = Math.max(1, Math.min(count, Math.floor(MOST_MEASURED_BYTES / type.sizeBytes)));
    const { lowBytes, highBytes } = reachOf(type.layout, { count: most, first: 0, length: most * type.sizeBytes });
    const memory = hostMemory(new Uint8Array(highBytes - lowBytes));
    return this.#context.places.at({ memory, originBytes: -lowBytes }, type, most) as HostPlaced;
  }

  #letGo(): void {
    this.#staged.settle();
    for (const { type } of this.#held.splice(1)) type.release();
  }
}

const CALLS = { put: "MPI_Put", get: "MPI_Get", accumulate: "MPI_Accumulate" } as const satisfies Record<
  string,
  CallName
>;

const sideOf = ({ type, count, address = 0 }: Pick<Placed, "type" | "count"> & Partial<Placed>): Bare =>
  type.direct === undefined
    ? { address, count, handle: type.native }
    : { address, count: count * type.direct.perElement, handle: type.direct.handle };
