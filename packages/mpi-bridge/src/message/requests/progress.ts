import type { Status } from "./status.js";

/** An operation under way, as far as moving it on is concerned. */
export interface Pending {
  readonly subject: string;
  /** Its status where it is over; throws the error that ended it. */
  test(): Status | undefined;
  /** Its status where it is over, though nobody may wait for it any more. */
  advance(): Status | undefined;
  /** Looks whether the memory that the MPI works on is still there. */
  look(): void;
  /** Where it stands among what is under way, as Progress has it. */
  place: number;
}

/** An operation of several messages that goes on whenever MPI is asked about anything. */
export interface Task {
  /** Does what can be done now; true once it is over. */
  advance(): boolean;
}

interface Waiting {
  readonly resolve: (status: Status) => void;
  readonly reject: (error: unknown) => void;
  readonly promise: Promise<Status>;
}

/** Polls in vain that follow each other by setImmediate; then timers take over, ever longer. */
const EAGER_POLLS = 200;
/** Operations that one call looks at. */
const LOOKED_AT = 32;
const LONGEST_PAUSE_MS = 8;
/** What one poll may take of the event loop: unpacking can be long. */
const SLICE_MS = 2;

/**
 * The one machine that moves operations on, all in JavaScript's own thread: each test and wait advances it, and while
 * promises are open a poll does, once each turn of the event loop, so that timers and I/O have theirs. Polls that find
 * nothing back off.
 */
export class Progress {
  /** Under way: their memory must live until MPI is done with it, whether or not the caller still holds them. */
  readonly #active: Pending[] = [];
  readonly #abandoned = new Set<Pending>();
  readonly #tasks = new Set<Task>();
  readonly #waiting = new Map<Pending, Waiting>();
  /** Messages of framed ones that are over: whoever waits goes on at once. */
  moved = 0;
  #idlePolls = 0;
  #scheduled = false;
  #advancing = false;

  hold(request: Pending): void {
    request.place = this.#active.push(request) - 1;
  }

  /** The last one takes its place: a set would make garbage of every message. */
  drop(request: Pending): void {
    const { place } = request;
    if (this.#active[place] !== request) return;
    const last = this.#active.pop() as Pending;
    if (last !== request) this.#active[(last.place = place)] = last;
    if (this.#abandoned.size > 0) this.#abandoned.delete(request);
  }

  /** Nobody will wait for it: it ends by itself. */
  abandon(request: Pending): void {
    this.#abandoned.add(request);
    this.#schedule();
  }

  get underWay(): number {
    return this.#active.length;
  }

  get requestsUnderWay(): readonly Pending[] {
    return [...this.#active];
  }

  get hasTasks(): boolean {
    return this.#tasks.size > 0;
  }

  addTask(task: Task): void {
    this.#tasks.add(task);
  }

  /**
   * Ahead of a call in which the MPI may touch what is under way: looks whether its memory is still there, of some
   * operations at a time, in turns.
   */
  look(): void {
    const active = this.#active;
    for (let left = Math.min(active.length, LOOKED_AT); left > 0; left--) {
      this.#looked = this.#looked + 1 < active.length ? this.#looked + 1 : 0;
      (active[this.#looked] as Pending).look();
    }
  }

  /** The place that was looked at last. */
  #looked = 0;

  advanceTasks(): void {
    this.look();
    if (this.#tasks.size === 0 || this.#advancing) return;
    this.#advancing = true;
    try {
      for (const task of this.#tasks) if (task.advance()) this.#tasks.delete(task);
    } finally {
      this.#advancing = false;
    }
  }

  promise(request: Pending): Promise<Status> {
    const known = this.#waiting.get(request);
    if (known !== undefined) return known.promise;
    const waiting = newWaiting();
    this.#waiting.set(request, waiting);
    this.#idlePolls = 0;
    this.#schedule();
    return waiting.promise;
  }

  #schedule(): void {
    if (this.#scheduled || this.#waiting.size + this.#abandoned.size === 0) return;
    this.#scheduled = true;
    const poll = (): void => {
      this.#scheduled = false;
      this.#poll();
      this.#schedule();
    };
    if (this.#idlePolls < EAGER_POLLS) setImmediate(poll);
    // Requests that nobody waits for do not keep the process alive.
    else if (this.#waiting.size === 0) setTimeout(poll, this.#pauseMs()).unref();
    else setTimeout(poll, this.#pauseMs());
  }

  #pauseMs(): number {
    return Math.min(LONGEST_PAUSE_MS, 2 ** Math.floor((this.#idlePolls - EAGER_POLLS) / 8));
  }

  #poll(): void {
    const end = performance.now() + SLICE_MS;
    let found = false;
    this.advanceTasks();
    for (const [request, waiting] of this.#waiting) {
      if (!this.#settle(request, waiting)) continue;
      found = true;
      if (performance.now() > end) break;
    }
    for (const request of this.#abandoned) found = this.#ended(request) || found;
    this.#idlePolls = found ? 0 : this.#idlePolls + 1;
  }

  #settle(request: Pending, { resolve, reject }: Waiting): boolean {
    try {
      const status = request.test();
      if (status === undefined) return false;
      this.#waiting.delete(request);
      resolve(status);
    } catch (error) {
      this.#waiting.delete(request);
      reject(error);
    }
    return true;
  }

  #ended(request: Pending): boolean {
    try {
      return request.advance() !== undefined;
    } catch {
      this.#abandoned.delete(request);
      return true; // nobody asked how it ends
    }
  }
}

function newWaiting(): Waiting {
  let [resolve, reject] = [(_: Status): void => undefined, (_: unknown): void => undefined];
  const promise = new Promise<Status>((resolved, rejected) => {
    resolve = resolved;
    reject = rejected;
  });
  return { resolve, reject, promise };
}
