import { quoted } from "@stowage/ir";
import { check } from "@stowage/mpi-abi";
import { BridgeError, MpiTimeoutError } from "../errors.js";
import { givenOptions } from "../option-rules.js";
import { handleList, ints, type HandleList, type Ints } from "../native/words.js";
import type { Context } from "../message/context.js";
import { Pauses } from "../message/requests/pause.js";
import type { PersistentRequest } from "../message/requests/persistent-request.js";
import { Request, WAIT_OPTIONS, type WaitOptions } from "../message/requests/request.js";
import { readStatus, type Status } from "../message/requests/status.js";

/** A request of a list that is over: its index in the list, and its status. */
export interface Ended {
  readonly index: number;
  readonly status: Status;
}

/** None that is known to be over. */
const NONE = Symbol("none");

/** What MPI's calls for several requests take and tell. */
interface Tables {
  readonly length: number;
  readonly handles: HandleList;
  readonly statuses: Ints;
  /** Of those that are over. */
  readonly places: Ints;
}

const LEAST_TABLE = 32;

const MPI_ERR_PENDING = "MPI_ERR_PENDING";

/**
 * Waits and tests for several requests at once: MPI_Waitall and its kin (MPI 4.1, section 3.7.5), in one call of MPI
 * where that can be. Each call throws a BridgeError for what is no list of requests, and the error of a request that
 * failed; waits with a time limit throw a MpiTimeoutError.
 */
export class Many {
  readonly #context: Context;
  /** Of the call that runs now: MPI has no more to do with them once it is over. */
  #tables: Tables | undefined;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Starts persistent operations, in the order of the list (as MPI_Startall). */
  startAll(requests: readonly PersistentRequest[]): void {
    requireRequests(requests);
    for (const request of requests) request.start();
  }

  /**
   * Returns the statuses, in the order of the list, once all are over (MPI_Waitall). Where one fails its error is
   * thrown when the others are over too.
   */
  waitAll(requests: readonly Request[], options: WaitOptions = {}): Status[] {
    const { timeoutMs } = givenOptions(options, WAIT_OPTIONS);
    requireRequests(requests);
    const active = activeOf(requests);
    if (this.#mustPoll(active, timeoutMs)) {
      this.#inTurns(timeoutMs, "waitAll", () => this.testAll(active));
    } else if (active.length > 0) {
      const { handles, statuses } = this.#arguments(active);
      const code = this.#context.native.bare("MPI_Waitall", active.length, handles.address, statuses.address);
      this.#completeAll("MPI_Waitall", code, active, handles, statuses);
    }
    return requests.map((request) => request.wait());
  }

  /** The statuses, where all are over (MPI_Testall); undefined otherwise, and none has ended then. */
  testAll(requests: readonly Request[]): Status[] | undefined {
    requireRequests(requests);
    const active = activeOf(requests);
    if (active.length > 0) {
      const { native, progress } = this.#context;
      progress.advanceTasks();
      if (!active.every(isNative)) return active.every((request) => request.peek()) ? endings(requests) : undefined;
      const { handles, statuses } = this.#arguments(active);
      const code = native.bare("MPI_Testall", active.length, handles.address, native.out.address, statuses.address);
      if (code === 0 && native.out.values[0] === 0) return undefined;
      this.#completeAll("MPI_Testall", code, active, handles, statuses);
    }
    return requests.map((request) => request.wait());
  }

  /**
   * Waits until one is over (MPI_Waitany); undefined where none is under way. Where the first under way is over, no
   * other is looked at.
   */
  waitAny(requests: readonly Request[], options: WaitOptions = {}): Ended | undefined {
    const { timeoutMs } = givenOptions(options, WAIT_OPTIONS);
    const first = this.#firstIfOver(requests);
    if (first !== NONE) return first;
    requireRequests(requests);
    if (!this.#mustPoll(requests, timeoutMs)) return this.#any(requests, "MPI_Waitany");
    return this.#inTurns(timeoutMs, "waitAny", () => this.testAny(requests));
  }

  /** One that is over now, as `waitAny` finds it; undefined where none is (MPI_Testany). */
  testAny(requests: readonly Request[]): Ended | undefined {
    const first = this.#firstIfOver(requests);
    if (first !== NONE) return first;
    requireRequests(requests);
    this.#context.progress.advanceTasks();
    if (!requests.every(isNative)) return endedOneByOne(requests, 1)[0];
    return this.#any(requests, "MPI_Testany");
  }

  /** All that are over once at least one is; none where none is under way (MPI_Waitsome). */
  waitSome(requests: readonly Request[], options: WaitOptions = {}): Ended[] {
    const { timeoutMs } = givenOptions(options, WAIT_OPTIONS);
    requireRequests(requests);
    if (!requests.some((request) => request.isActive)) return [];
    if (!this.#mustPoll(requests, timeoutMs)) return this.#some(requests, "MPI_Waitsome");
    return this.#inTurns(timeoutMs, "waitSome", () => {
      const ended = this.testSome(requests);
      return ended.length === 0 ? undefined : ended;
    });
  }

  /** All that are over now (MPI_Testsome). */
  testSome(requests: readonly Request[]): Ended[] {
    requireRequests(requests);
    if (!requests.some((request) => request.isActive)) return [];
    this.#context.progress.advanceTasks();
    if (!requests.every(isNative)) return endedOneByOne(requests, Infinity);
    return this.#some(requests, "MPI_Testsome");
  }

  /**
   * MPI reads every handle before it looks whether one is over (paper: Balaji et al. 2010, section 3.4). Here the first
   * under way is asked alone, and no request behind it is looked at: `NONE` where it goes on, and the others must be
   * asked too.
   */
  #firstIfOver(requests: readonly Request[]): Ended | undefined | typeof NONE {
    const index = requireList(requests).findIndex((request) => requireRequest(request).isActive);
    if (index < 0) return undefined;
    const status = (requests[index] as Request).test();
    return status === undefined ? NONE : { index, status };
  }

  /** Whether a call of MPI for all of them would wait for what only progress of ours moves on. */
  #mustPoll(requests: readonly Request[], timeoutMs: number | undefined): boolean {
    return timeoutMs !== undefined || this.#context.progress.hasTasks || !requests.every(isNative);
  }

  #any(requests: readonly Request[], call: "MPI_Waitany" | "MPI_Testany"): Ended | undefined {
    const { native } = this.#context;
    const active = indicesOf(requests);
    const { handles } = this.#arguments(active.map((index) => requests[index] as Request));
    const [at, flag] = [native.out.address, native.out.address + 4];
    native.out.values[1] = 1;
    const rest = call === "MPI_Testany" ? [at, flag, native.status.address] : [at, native.status.address];
    const code = native.bare(call, active.length, handles.address, ...rest);
    const place = native.out.values[0] as number;
    const index = active[place];
    if (code === 0 && (native.out.values[1] === 0 || index === undefined)) return undefined;
    if (index === undefined) return void native.check(call, code);
    const request = requests[index] as Request;
    request.setHandle(handles.get(place));
    if (code !== 0) return request.failWith(() => native.check(call, code));
    return { index, status: request.complete(readStatus(native.status.values, 0, native.constants)) };
  }

  #some(requests: readonly Request[], call: "MPI_Waitsome" | "MPI_Testsome"): Ended[] {
    const { native } = this.#context;
    const indices = indicesOf(requests);
    const active = indices.map((index) => requests[index] as Request);
    const { handles, statuses, places } = this.#arguments(active);
    const code = native.bare(
      call,
      active.length,
      handles.address,
      native.out.address,
      places.address,
      statuses.address,
    );
    const count = Math.max(0, native.out.values[0] as number);
    const ended: Ended[] = [];
    let failed: unknown;
    for (const [i, place] of [...places.values.subarray(0, count)].entries()) {
      const request = active[place] as Request;
      request.setHandle(handles.get(place));
      try {
        const status = this.#completeOne(call, code, request, statuses, i);
        ended.push({ index: indices[place] as number, status });
      } catch (error) {
        failed ??= error;
      }
    }
    if (failed !== undefined) throw failed as Error;
    if (count === 0) native.check(call, code);
    return ended;
  }

  #completeAll(call: string, code: number, active: readonly Request[], handles: HandleList, statuses: Ints): void {
    let failed: unknown;
    active.forEach((request, i) => {
      if (this.#isPending(code, statuses, i)) return;
      request.setHandle(handles.get(i));
      try {
        this.#completeOne(call, code, request, statuses, i);
      } catch (error) {
        failed ??= error;
      }
    });
    if (failed !== undefined) throw failed as Error;
  }

  /** Ends request i of a status array; where the call failed, each status holds the error of its own request. */
  #completeOne(call: string, code: number, request: Request, statuses: Ints, i: number): Status {
    const { native } = this.#context;
    const start = i * native.constants.status.words;
    const own = this.#errorOf(code, statuses, i);
    if (own !== 0) return request.failWith(() => check(native.mpi, call, own));
    for (let word = 0; word < native.constants.status.words; word++)
      native.status.values[word] = statuses.values[start + word] as number;
    return request.complete(readStatus(statuses.values, start, native.constants));
  }

  #errorOf(code: number, statuses: Ints, i: number): number {
    const { words, error } = this.#context.native.constants.status;
    return code === 0 ? 0 : (statuses.values[i * words + error] as number);
  }

  /** Another request failed, and this one has not ended. */
  #isPending(code: number, statuses: Ints, i: number): boolean {
    const own = this.#errorOf(code, statuses, i);
    return this.#context.native.constants.errorClasses.get(own) === MPI_ERR_PENDING;
  }

  #arguments(active: readonly Request[]): Tables {
    const { native } = this.#context;
    for (const request of active) request.requireMemory();
    this.#context.progress.look();
    native.requireRunning("requests");
    const tables = this.#tablesFor(active.length);
    for (const [i, { handle }] of active.entries()) tables.handles.set(i, handle);
    tables.statuses.values.fill(0, 0, active.length * native.constants.status.words); // a call may write no error
    return tables;
  }

  /** Memory of its own for each call would cost as much as a dozen short messages. */
  #tablesFor(requests: number): Tables {
    const { mpi, constants } = this.#context.native;
    if (this.#tables !== undefined && requests <= this.#tables.length) return this.#tables;
    const length = Math.max(LEAST_TABLE, 2 * requests);
    const [statuses, places] = [ints(length * constants.status.words), ints(length)];
    return (this.#tables = { length, handles: handleList(mpi, length), statuses, places });
  }

  #inTurns<T>(timeoutMs: number | undefined, subject: string, attempt: () => T | undefined): T {
    const end = timeoutMs === undefined ? Infinity : performance.now() + timeoutMs;
    const pauses = new Pauses(this.#context.progress);
    for (;;) {
      const found = attempt();
      if (found !== undefined) return found;
      if (performance.now() >= end) throw new MpiTimeoutError(subject, timeoutMs as number);
      pauses.next();
    }
  }
}

/** Where requests under way stand in a list, each once: MPI takes no handle twice. */
function indicesOf(requests: readonly Request[]): readonly number[] {
  const seen = new Set<Request>();
  const indices: number[] = [];
  requests.forEach((request, index) => {
    if (request.isActive && seen.size !== seen.add(request).size) indices.push(index);
  });
  return indices;
}

const activeOf = (requests: readonly Request[]): readonly Request[] =>
  [...new Set(requests)].filter((request) => request.isActive);

const refused = (got: unknown): BridgeError => new BridgeError("requests", "a list of requests", quoted(got));

function requireList(requests: readonly Request[]): readonly Request[] {
  if ((Array.isArray as (given: unknown) => boolean)(requests)) return requests;
  throw refused(requests);
}

function requireRequest(request: Request): Request {
  if ((request as unknown) instanceof Request) return request;
  throw refused(request);
}

function requireRequests(requests: readonly Request[]): void {
  for (const request of requireList(requests)) requireRequest(request);
}

const isNative = (request: Request): boolean => request.isNative;

/** Statuses of requests that are all over; where some failed, the first error, once all have ended. */
function endings(requests: readonly Request[]): Status[] {
  let failed: unknown;
  const statuses: Status[] = [];
  for (const request of requests) {
    try {
      statuses.push(request.wait());
    } catch (error) {
      failed ??= error;
    }
  }
  if (failed !== undefined) throw failed as Error;
  return statuses;
}

/** Those that are over now, at most so many, in their order. */
function endedOneByOne(requests: readonly Request[], most: number): Ended[] {
  const ended: Ended[] = [];
  for (const index of indicesOf(requests)) {
    const status = requests[index]?.test();
    if (status !== undefined) ended.push({ index, status });
    if (ended.length === most) break;
  }
  return ended;
}
