import { DeviceMethods } from "../carriers/devices/device-methods.js";
import { quoted } from "@stowage/ir";
import { isOnHost, type Placed } from "../message/place/placed.js";
import { Transfer } from "../message/place/transfer.js";
import type { Way } from "../message/place/way.js";
import { chooseRoute, knownWay, sizeClassOf } from "../message/datatype/choose-route.js";
import type { Hints } from "../message/datatype/hints.js";
import { RouteTrial, type Role, type TriedWay } from "../message/datatype/route-trial.js";
import { MOST_INT } from "../message/datatype/large-datatype.js";
import type { Message } from "../message/place/message.js";
import type { MessagePlan } from "../carriers/devices/device-methods.js";
import { BridgeError, MpiTimeoutError } from "../errors.js";
import { requireLimit } from "../option-rules.js";
import { Pauses } from "../message/requests/pause.js";
import type { Framing } from "../carriers/framed/framing.js";
import type { Request, WaitOptions } from "../message/requests/request.js";
import type { Status } from "../message/requests/status.js";
import type { Context } from "../message/context.js";
import { checkSettings, type CommunicatorSettings } from "./settings.js";

/**
 * What messages and collectives of a communicator have in common: its handle, its settings, how elements travel, time
 * limits.
 */
export class Endpoint {
  readonly context: Context;
  readonly rank: number;
  readonly size: number;
  readonly #handle: number;
  #isForgotten = false;
  #settings: CommunicatorSettings = {};
  #checks = true;
  /** Where messages begin with a frame, as all ranks agreed. */
  framing: Framing | undefined;

  constructor(context: Context, handle: number) {
    this.context = context;
    this.#handle = handle;
    const { native } = context;
    native.call("MPI_Comm_set_errhandler", handle, native.mpi.constants.errorsReturn);
    native.call("MPI_Comm_rank", handle, native.out.address);
    this.rank = native.out.values[0] as number;
    native.call("MPI_Comm_size", handle, native.out.address);
    this.size = native.out.values[0] as number;
  }

  /** MPI_Comm, as the ABI has it. */
  get handle(): number {
    if (this.#isForgotten) throw new BridgeError("communicator", "one in use", "a freed one");
    return this.#handle;
  }

  get settings(): CommunicatorSettings {
    return this.#settings;
  }

  set settings(settings: CommunicatorSettings) {
    checkSettings(settings);
    this.#settings = Object.freeze({ ...settings });
    this.#checks = settings.checks !== "none";
  }

  /** From here on MPI refuses the communicator. */
  forget(): void {
    this.#isForgotten = true;
  }

  /** How elements travel: the choice, then the memory for it. */
  transfer(placed: Placed): Transfer {
    const { native, staging } = this.context;
    native.requireRunning("a message");
    const way = this.wayOf(placed);
    return new Transfer(native.mpi, placed, mayShrink(placed) ? COPIED[way] : way, staging);
  }

  /** The same of memory of a device alone. */
  transferOfDevice(placed: Placed): Transfer | undefined {
    return isOnHost(placed) ? undefined : this.transfer(placed);
  }

  /**
   * How a message would travel, and why: of elements in a device's memory, by which method, and what each is predicted
   * to take.
   */
  plan(message: Message, dest?: number): MessagePlan {
    const placed = this.context.places.of(message);
    const direct = this.framing?.direct;
    if (direct === undefined) return this.context.only(DeviceMethods).plan(placed);
    return this.context.only(DeviceMethods).plan(placed, direct.directnessTo(dest, placed.device));
  }

  /**
   * Runs one blocking message of elements by the way that is known, or else by one that is on trial: the
   * message's own time is then told.
   */
  onTrial<T>(role: Role, placed: Placed, run: (transfer: Transfer) => T): T {
    const { native, staging } = this.context;
    const known =
      isUnpacked(placed) || placed.device !== undefined
        ? this.wayOf(placed)
        : knownWay(placed, this.#settings.hints ?? NO_HINTS);
    const { apartTypes } = this.context;
    if (known !== undefined) return released(new Transfer(native.mpi, placed, known, staging, apartTypes), run);
    const { trials, costs } = placed.type;
    const sizeClass = sizeClassOf(placed);
    let trial = trials.get(sizeClass);
    if (trial === undefined) trials.set(sizeClass, (trial = new RouteTrial(waysOf(placed.sizeBytes))));
    const way = trial.next(role);
    const start = performance.now();
    const result = released(new Transfer(native.mpi, placed, way, staging, apartTypes), run);
    const cost = trial.tell(role, way, (performance.now() - start) * 1e6);
    if (cost !== undefined) {
      costs.set(sizeClass, cost);
      trials.delete(sizeClass);
    }
    return result;
  }

  wayOf(placed: Placed): Way {
    if (isUnpacked(placed)) return placed.type.direct === undefined ? "native" : "direct";
    if (!isOnHost(placed)) return this.context.only(DeviceMethods).wayOf(placed);
    return chooseRoute(this.context.native.mpi, placed, this.#settings.hints ?? {}, this.context.staging);
  }

  limits({ timeoutMs = this.#settings.timeoutMs }: WaitOptions): WaitOptions {
    return { timeoutMs };
  }

  /** Its end, within the time limit: a request that reaches it is given up. */
  waited(request: Request, options: WaitOptions): Status {
    try {
      return request.wait(this.limits(options));
    } catch (error) {
      giveUp(request);
      throw error;
    }
  }

  /** Whether one call of MPI does it all, on the elements as they lie. */
  isSimple({ type, count, device }: Placed, options: WaitOptions): boolean {
    return (
      type.direct !== undefined &&
      device === undefined &&
      count * type.direct.perElement <= MOST_INT &&
      this.mayBlock(options)
    );
  }

  /**
   * Whether a call of MPI may block until its end: there is no time limit, and nothing else to move on
   * meanwhile.
   */
  mayBlock(options: WaitOptions): boolean {
    return (
      this.framing === undefined &&
      options.timeoutMs === undefined &&
      this.#settings.timeoutMs === undefined &&
      !this.context.progress.hasTasks &&
      this.context.native.isRunning
    );
  }

  /** Tries until there is something, within the time limit. */
  inTurns<T>(subject: string, options: WaitOptions, attempt: () => T | undefined): T {
    const { timeoutMs } = this.limits(options);
    requireLimit(timeoutMs);
    const end = timeoutMs === undefined ? Infinity : performance.now() + timeoutMs;
    this.context.native.requireRunning(subject);
    const pauses = new Pauses(this.context.progress);
    for (;;) {
      const found = attempt();
      if (found !== undefined) return found;
      if (performance.now() >= end) throw new MpiTimeoutError(subject, timeoutMs as number);
      pauses.next();
    }
  }

  /**
   * Inside a blocking collective of MPI nothing of ours moves on, and a rank that still waits for a chunk
   * would never reach it.
   */
  requireNoTasks(subject: string): void {
    const { progress } = this.context;
    progress.advanceTasks();
    if (!progress.hasTasks) return;
    const expected = "framed messages waited for ahead of it, a time limit on all ranks, or a framed communicator";
    throw new BridgeError(subject, expected, "framed messages under way");
  }

  requireNumbers(subject: string, rank: number, tag: number): void {
    if (!this.#checks || (isInt(rank) && isInt(tag))) return;
    const [what, got] = isInt(rank) ? ["tag", tag] : ["rank", rank];
    throw new BridgeError(`${what} of ${subject}`, "a 32-bit integer", quoted(got));
  }
}

const NO_HINTS: Hints = {};

/** Ways that show the MPI no memory of the caller's. */
const COPIED: Readonly<Record<Way, Way>> = {
  direct: "copied",
  native: "packed",
  packed: "packed",
  copied: "copied",
  apart: "apart",
  device: "device",
};

/** Memory that JavaScript may give back to the system while a message is under way. */
export const mayShrink = (placed: Placed): boolean => isOnHost(placed) && placed.buffer.canChangeSize;

/** Shorter packed messages are copied at once by any MPI, or nearly so. */
const LEAST_APART_BYTES = 16 * 1024;

const waysOf = (sizeBytes: number): readonly TriedWay[] =>
  sizeBytes >= LEAST_APART_BYTES && sizeBytes <= MOST_INT ? ["native", "packed", "apart"] : ["native", "packed"];

/** Elements that lie side by side, or are none. */
const isUnpacked = ({ type, sizeBytes, device }: Placed): boolean =>
  (type.direct !== undefined && device === undefined) || sizeBytes === 0;

function released<T>(transfer: Transfer, run: (transfer: Transfer) => T): T {
  try {
    return run(transfer);
  } finally {
    transfer.release();
  }
}

/** Of 32 bits; of whatever plain JavaScript hands over. */
const isInt = (value: number): boolean => typeof value === "number" && (value | 0) === value;

/** Nobody will wait for it: it is cancelled where MPI can, and its memory is kept until MPI lets go of it. */
export function giveUp(request: Request): void {
  if (!request.isActive) return;
  if (request.isCancellable) request.cancel();
  request.free();
}
