import { BridgeError, MpiTimeoutError } from "../../errors.js";
import { A_TIME_LIMIT, givenOptions, rulesOf } from "../../option-rules.js";
import type { HandleList } from "../../native/words.js";
import type { Context } from "../context.js";
import { Pauses } from "./pause.js";
import { readStatus, Status } from "./status.js";

/** An operation of several messages, which the progress machine moves on. */
export interface Steps {
  /** Whether it is over. */
  readonly isOver: boolean;
  /** Its status once it is over; throws the error that ended it. */
  poll(): Status | undefined;
  cancel?(): void;
}

/** What an operation does when MPI is done with it, and what it holds until then. */
export interface Ending {
  /** Begins an operation of several messages. MPI has no request for such a one. */
  begin?(): Steps;
  /** For messages of errors, such as "recv from 1". */
  readonly subject: string;
  /** Whether the elements that the MPI itself reads or writes until then are still there. Default: they are. */
  hasMemory?(): boolean;
  /** Receives can be cancelled; of sends MPI need not, and of collectives it may not. */
  readonly cancellable?: boolean;
  /** What arrived is put where it belongs; returns the status that the caller sees. */
  finish?(status: Status): Status | void;
  /** Lets go of memory and types. */
  release?(): void;
}

/** Options of calls that wait. */
export interface WaitOptions {
  /** The time limit in milliseconds, after which a MpiTimeoutError is thrown. Default: no limit. */
  readonly timeoutMs?: number | undefined;
}

export const WAIT_OPTIONS = rulesOf<WaitOptions>({ timeoutMs: A_TIME_LIMIT });

const NO_LIMIT: WaitOptions = Object.freeze({});

type State = "inactive" | "active" | "done" | "freed";

/**
 * An operation under way (MPI_Request; MPI 4.1, section 3.7). What it works on is held until it is over. An error that
 * ended it is thrown by each call that asks for its status: an MpiError where it is MPI's, else a BridgeError.
 */
export class Request {
  readonly #context: Context;
  readonly #ending: Ending;
  readonly #handle: HandleList;
  readonly #persistent: boolean;
  #state: State;
  #steps: Steps | undefined;
  #status: Status | undefined;
  #error: unknown;
  /** @internal */
  place = -1;

  /** A request whose handle a call wrote. Persistent ones wait for `start`. */
  constructor(context: Context, handle: HandleList, ending: Ending, persistent = false) {
    this.#context = context;
    this.#handle = handle;
    this.#ending = ending;
    this.#persistent = persistent;
    this.#state = persistent ? "inactive" : "active";
    if (persistent) return;
    this.#steps = beginning(ending);
    context.progress.hold(this);
  }

  /** What the operation is, for messages of errors, such as "recv from 1". */
  get subject(): string {
    return this.#ending.subject;
  }

  /** Whether `cancel` can end it: receives can be cancelled. */
  get isCancellable(): boolean {
    return this.#ending.cancellable === true;
  }

  /** Whether it is under way. */
  get isActive(): boolean {
    return this.#state === "active" && !this.#isGivenUp;
  }

  /** Whether MPI has a request for it. */
  get isNative(): boolean {
    return this.#ending.begin === undefined;
  }

  /** The MPI_Request, as a number of the MPI's ABI. */
  get handle(): number {
    return this.#handle.get(0);
  }

  /** The status, where it is over; undefined while it is under way (MPI_Test). Advances whatever else is under way. */
  test(): Status | undefined {
    if (!this.isActive) return this.#result();
    this.requireMemory();
    return this.advance();
  }

  /** @internal The same, whether or not the caller gave it up. */
  advance(): Status | undefined {
    if (this.#state !== "active") return this.#status;
    const { native, progress } = this.#context;
    native.requireRunning("MPI_Test");
    progress.advanceTasks();
    if (this.#steps !== undefined) return this.#polled(this.#steps);
    const { out, status } = native;
    const code = native.launch(this.#context.entries.test, this.#handle.address, out.address, status.address, 0, 0);
    if (code !== 0) this.#fail("MPI_Test", code);
    if (out.values[0] === 0) return undefined;
    return this.complete(readStatus(status.values, 0, native.constants));
  }

  /**
   * Returns the status once the operation is over (MPI_Wait). Throws a MpiTimeoutError where the time limit is reached
   * first.
   */
  wait(options: WaitOptions = NO_LIMIT): Status {
    const { timeoutMs } = options === NO_LIMIT ? options : givenOptions(options, WAIT_OPTIONS);
    if (!this.isActive) return this.#result();
    const { native, progress } = this.#context;
    this.requireMemory();
    progress.look();
    native.requireRunning("MPI_Wait");
    if (timeoutMs !== undefined || progress.hasTasks || !this.isNative) return this.#waitInTurns(timeoutMs);
    const { status } = native;
    const code = native.launch(this.#context.entries.wait, this.#handle.address, status.address, 0, 0, 0);
    if (code !== 0) this.#fail("MPI_Wait", code);
    return this.complete(readStatus(status.values, 0, native.constants));
  }

  /** A promise of the status, rejected with the error. MPI is polled from this thread, between timers and I/O. */
  finished(): Promise<Status> {
    if (this.#isGivenUp) return Promise.reject(this.#givenUpError());
    return this.#context.progress.promise(this);
  }

  /**
   * Whether the operation is over. Unlike `test` it changes nothing: the request is still to be waited for
   * (MPI_Request_get_status).
   */
  peek(): boolean {
    if (!this.isActive) return true;
    const { progress } = this.#context;
    if (this.#steps !== undefined) {
      progress.advanceTasks();
      return this.#steps.isOver;
    }
    this.look();
    return !this.isActive || this.#isOver();
  }

  #isOver(): boolean {
    const { native } = this.#context;
    // One that ended with an error is over too: MPICH says that error here already, and again as it is waited for.
    const code = native.bare("MPI_Request_get_status", this.handle, native.out.address, native.status.address);
    return code !== 0 || native.out.values[0] !== 0;
  }

  /**
   * Asks MPI to cancel it (MPI_Cancel); the status of wait or test tells by `cancelled` whether it did. Throws a
   * BridgeError where it is not under way.
   */
  cancel(): void {
    this.#requireState("active", "cancel");
    if (this.#steps !== undefined) return this.#steps.cancel?.();
    this.#cancelled = true;
    this.#context.native.call("MPI_Cancel", this.#handle.address);
  }

  #cancelled = false;

  /**
   * Gives it up: a persistent one that is not under way, or one whose end nobody waits for (MPI_Request_free). What it
   * works on is kept until MPI ends. Throws a BridgeError where it was given up already, as each further call does.
   */
  free(): void {
    if (this.#state === "freed" || this.#isGivenUp) throw this.#givenUpError();
    if (this.#state === "done") {
      this.#state = "freed";
      return;
    }
    if (this.#state === "active") return this.#giveUp();
    if (this.isNative) this.#context.native.call("MPI_Request_free", this.#handle.address);
    this.#state = "freed";
    this.#ending.release?.();
  }

  /** Set where nobody may wait for it any more, though it is under way. */
  #isGivenUp = false;

  #giveUp(): void {
    this.#isGivenUp = true;
    this.#context.progress.abandon(this);
  }

  #givenUpError(): Error {
    return (this.#error as Error | undefined) ?? new BridgeError(this.subject, "a request in use", "a freed one");
  }

  /**
   * @internal Throws a BridgeError where memory that the MPI works on was transferred away: it may be another thread's
   * by now, or nobody's.
   */
  requireMemory(): void {
    if (!this.isActive) return;
    this.look();
    if (this.#isGivenUp) throw this.#givenUpError();
  }

  /**
   * @internal The same without throwing: it is given up. A receive is cancelled; what the MPI goes on with, and may
   * touch in whatever call comes next, is the end of MPI for this process.
   */
  look(): void {
    if (this.#state !== "active" || this.#isLost || this.#hasMemory) return;
    this.#isLost = true;
    const error = this.#goneError();
    const mayEnd = this.isCancellable && this.#steps === undefined;
    if (mayEnd && this.isActive) this.cancel();
    const isOver = mayEnd && this.#isOver();
    if (!this.#isGivenUp) {
      this.#error = error;
      this.#giveUp();
    }
    if (!isOver) this.#context.native.lose(error);
  }

  #isLost = false;

  get #hasMemory(): boolean {
    return this.#ending.hasMemory?.() ?? true;
  }

  #goneError(): BridgeError {
    return new BridgeError(this.subject, "its buffer until it is over", "one that was transferred away");
  }

  /** For a persistent one that has been started. */
  started(): void {
    this.#steps = beginning(this.#ending);
    this.#state = "active";
    this.#status = undefined;
    this.#context.progress.hold(this);
  }

  requireStartable(): void {
    if (!this.#persistent) throw new BridgeError(this.subject, "a persistent request", "another");
    this.#requireState("inactive", "start");
    if (!this.#hasMemory) throw this.#goneError();
  }

  get handleAddress(): number {
    return this.#handle.address;
  }

  /** Writes the handle that a call of many requests left. */
  setHandle(handle: number): void {
    this.#handle.set(0, handle);
  }

  /** MPI is done with it: what arrived is unpacked. */
  complete(told: Status): Status {
    const { native, progress } = this.#context;
    let status = told;
    if (this.#cancelled) {
      // The call that ended it wrote this status last.
      native.call("MPI_Test_cancelled", native.status.address, native.out.address);
      if (native.out.values[0] !== 0) status = new Status(told.source, told.tag, 0, true);
    }
    try {
      if (!status.cancelled) status = this.#ending.finish?.(status) ?? status;
      this.#status = status;
      return status;
    } catch (error) {
      this.#error = error;
      throw error;
    } finally {
      this.#over();
      progress.drop(this);
    }
  }

  #polled(steps: Steps): Status | undefined {
    let status: Status | undefined;
    try {
      status = steps.poll();
    } catch (error) {
      return this.failWith(() => {
        throw error;
      });
    }
    return status && this.complete(status);
  }

  /** MPI ended it with an error: throws it. */
  #fail(call: "MPI_Test" | "MPI_Wait", code: number): never {
    return this.failWith(() => this.#context.native.check(call, code));
  }

  /** Ends it with the error that `raise` throws. */
  failWith(raise: () => void): never {
    try {
      raise();
      throw new BridgeError(this.subject, "an error", "none");
    } catch (error) {
      this.#error = error;
      this.#over();
      this.#context.progress.drop(this);
      throw error;
    }
  }

  #over(): void {
    this.#cancelled = false;
    this.#state = this.#persistent ? "inactive" : "done";
    if (this.#persistent) return;
    this.#context.cells.give(this.#handle); // MPI has made it null: nothing asks MPI about it again
    this.#ending.release?.();
  }

  #result(): Status {
    if (this.#state === "freed" || this.#isGivenUp) throw this.#givenUpError();
    const error = this.#error;
    if (error !== undefined) throw error as Error;
    return this.#status ?? new Status(-1, -1, 0);
  }

  #waitInTurns(timeoutMs: number | undefined): Status {
    const end = timeoutMs === undefined ? Infinity : performance.now() + timeoutMs;
    const pauses = new Pauses(this.#context.progress);
    for (;;) {
      const status = this.test();
      if (status !== undefined) return status;
      if (performance.now() >= end) throw new MpiTimeoutError(this.subject, timeoutMs as number);
      pauses.next();
    }
  }

  #requireState(state: State, act: string): void {
    if (this.#isGivenUp) throw this.#givenUpError();
    if (this.#state === state) return;
    throw new BridgeError(`${act} of ${this.subject}`, `an ${state} request`, `one that is ${this.#state}`);
  }
}

const beginning = (ending: Ending): Steps | undefined => ending.begin?.();

/** A handle cell for one request. */
export const requestCell = (context: Context): HandleList => context.cells.take();
