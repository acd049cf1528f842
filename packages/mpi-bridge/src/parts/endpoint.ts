import { quoted } from "@stowage/ir";
import type { Outgoing, PlainCarrier } from "../carriers/carrier.js";
import { PlainCarriers, type Choice } from "../carriers/chooser.js";
import type { Explanation } from "../carriers/explanation.js";
import { isOnHost, type Placed } from "../message/place/placed.js";
import type { Shown } from "../message/place/shown.js";
import type { Transfer } from "../message/place/transfer.js";
import { NO_HINTS, type Hints } from "../message/datatype/hints.js";
import { MOST_INT } from "../message/datatype/large-datatype.js";
import type { Message } from "../message/place/message.js";
import { BridgeError, MpiTimeoutError } from "../errors.js";
import { Pauses } from "../message/requests/pause.js";
import type { Framing } from "../carriers/framed/framing.js";
import type { Request, WaitOptions } from "../message/requests/request.js";
import type { Status } from "../message/requests/status.js";
import type { Context } from "../message/context.js";
import { FellowRanks } from "./fellow-ranks.js";
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
  /** Of the settings, which come in many shapes. */
  #timeoutMs: number | undefined;
  #checks = true;
  /** Whether the other ranks are programs of this package. */
  fellows: FellowRanks;
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
    this.fellows = new FellowRanks(context, () => this.handle, this.size === 1);
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
    const { hints } = settings;
    // Kept as they are: choices are known by them.
    const kept = hints === undefined || Object.isFrozen(hints) ? hints : Object.freeze({ ...hints });
    this.#settings = Object.freeze(hints === undefined ? { ...settings } : { ...settings, hints: kept });
    this.#checks = settings.checks !== "none";
    this.#timeoutMs = settings.timeoutMs;
  }

  /** From here on MPI refuses the communicator. */
  forget(): void {
    this.#isForgotten = true;
  }

  /** The carrier of a message that begins, or blocks, in a role: the one that is known, or one on trial. */
  choice(role: string, outgoing: Outgoing): Choice<PlainCarrier> {
    this.context.native.requireRunning("a message");
    return this.#plain.begin(role, outgoing, this.hints);
  }

  /** What the MPI is shown of its elements: held until it is over. */
  transferBy({ carrier, form }: Choice<PlainCarrier>, outgoing: Outgoing): Transfer {
    return carrier.begin([form === carrier.name ? outgoing : { ...outgoing, form }])[0] as Transfer;
  }

  /** The same of a message whose own time nobody tells. */
  transfer(placed: Placed): Transfer {
    this.context.native.requireRunning("a message");
    const outgoing: Outgoing = { placed, use: "begun" };
    return this.transferBy(this.#plain.choose(outgoing, this.hints), outgoing);
  }

  /** What the MPI is shown of elements in a device's memory; undefined for the host's. */
  transferOfDevice(placed: Placed): Transfer | undefined {
    return isOnHost(placed) ? undefined : this.transfer(placed);
  }

  /** What the MPI is shown of one side of a collective. Dense elements are the MPI's own type too. */
  shownInCollective(placed: Placed): Shown {
    this.context.native.requireRunning("a collective");
    const outgoing: Outgoing = { placed, use: "collective" };
    const { carrier, form } = this.#plain.choose(outgoing, this.hints);
    return carrier.shown([form === carrier.name ? outgoing : { ...outgoing, form }]);
  }

  /** What each carrier says of a message, and which one is chosen. */
  explain(message: Message, peer?: number): Explanation {
    const placed = this.context.places.of(message);
    const { carriers } = this.framing ?? {};
    if (carriers !== undefined) return carriers.explain({ placed, peer, use: "begun" }, this.hints);
    return this.#plain.explain({ placed, peer, use: "call" }, this.hints);
  }

  get #plain(): PlainCarriers {
    return (this.#carriers ??= this.context.only(PlainCarriers));
  }

  #carriers: PlainCarriers | undefined;

  /** Hints for all messages whose datatypes have none of their own; frozen. */
  get hints(): Hints {
    return this.#settings.hints ?? NO_HINTS;
  }

  limits({ timeoutMs = this.#timeoutMs }: WaitOptions): WaitOptions {
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
      type.dense !== undefined &&
      device === undefined &&
      count * type.dense.perElement <= MOST_INT &&
      this.mayBlock(options)
    );
  }

  /**
   * Whether a call of MPI may block until its end: there is no time limit, and nothing else to move on
   * meanwhile.
   */
  mayBlock(options: WaitOptions): boolean {
    this.context.progress.look();
    return (
      this.framing === undefined &&
      options.timeoutMs === undefined &&
      this.#timeoutMs === undefined &&
      !this.context.progress.hasTasks &&
      this.context.native.isRunning
    );
  }

  /** Tries until there is something, within the time limit. */
  inTurns<T>(subject: string, options: WaitOptions, attempt: () => T | undefined): T {
    const { timeoutMs } = this.limits(options);
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

/** Whether a value, whatever plain JavaScript hands over, is an integer of 32 bits. */
const isInt = (value: number): boolean => typeof value === "number" && (value | 0) === value;

/** Nobody will wait for it: it is cancelled where MPI can, and its memory is kept until MPI lets go of it. */
export function giveUp(request: Request): void {
  if (!request.isActive) return;
  if (request.isCancellable) request.cancel();
  request.free();
}
