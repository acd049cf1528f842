import type { Artifact } from "./artifact.js";
import type { Binding, BoundTables } from "./binding.js";
import type { Completion } from "./completion.js";
import type { Conditions } from "./conditions.js";
import type { Profile } from "./cost/profile.js";
import { isReducing, isTabled, requireMoves, type Move } from "./move.js";
import type { HostBuffer } from "./host-buffer.js";
import type { Queue } from "./queue.js";

/** Whether a backend takes some moves; where it does not, `reason` says why, in words for the user. */
export type Support = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** The answer of a backend that takes the moves. */
export const SUPPORTED: Support = Object.freeze({ ok: true });
/** The answer of a backend that does not take the moves, with the reason. */
export const unsupported = (reason: string): Support => Object.freeze({ ok: false, reason });

/** The answer for a backend that does not declare `reduces`, where a move has a reduction. */
export const NO_REDUCTIONS: Support = unsupported("it declares no reducing moves");

/** The answer for a backend that does not declare `tables`, where a move has displacement tables. */
export const NO_TABLES: Support = unsupported("it declares no moves with displacement tables");

/**
 * Asks a backend whether it takes some moves. Call this, not `Backend.supports`: a backend that does not declare
 * reducing moves, or moves with tables, is not asked about them, for it may not know that there are any. Throws an
 * ArgumentError for what are no moves.
 *
 * @example
 * ```ts
 * const moves = [packMove(column)];
 * const support = supportOf(backend, moves, conditions());
 * if (!support.ok) throw new UnsupportedMoveError(backend.name, support.reason);
 * const kernel = backend.load(backend.compile(moves, conditions()));
 * ```
 */
export function supportOf(backend: Backend, moves: readonly Move[], conditions: Conditions): Support {
  requireMoves(moves);
  if (backend.reduces !== true && moves.some(isReducing)) return NO_REDUCTIONS;
  if (backend.tables !== true && moves.some(isTabled)) return NO_TABLES;
  return backend.supports(moves, conditions);
}

/** The time that a backend is predicted to take for some moves. */
export interface Prediction {
  /** Nanoseconds to compile and load, once. */
  readonly commitNs: number;
  /** Nanoseconds to move the elements that the conditions name ("any" counts as one), once committed. */
  readonly runNs: number;
  /** The relative error to be expected of runNs, as the root of the mean square: 0.2 is 20 %. Absent: not known. */
  readonly uncertainty?: number;
}

/** What compiles moves for one kind of machine, and loads what it compiled. A list of moves is one launch. */
export interface Backend {
  /** The name by which artifacts, messages and the choice of a backend refer to it, such as "x64". */
  readonly name: string;
  /**
   * Whether the backend knows moves with a reduction; which of them it takes, supports() says. Default: false, and it
   * is handed none.
   */
  readonly reduces?: boolean;
  /**
   * Whether the backend knows moves with displacement tables; which of them it takes, supports() says. Default: false,
   * and it is handed none.
   */
  readonly tables?: boolean;
  /**
   * Whether compile takes the moves under the conditions, and why not. A yes is a promise: compiling, loading and
   * running do not fail on these layouts. Users call supportOf.
   */
  supports(moves: readonly Move[], conditions: Conditions): Support;
  /**
   * Predicts the time of compiling and of a run, from figures of a machine. Pure: reads no clock and asks no device. A
   * backend without it is chosen wherever it supports the moves, because it was registered for a purpose.
   */
  predict?(moves: readonly Move[], conditions: Conditions, profile: Profile): Prediction;
  /** Compiles the moves to data. Throws an UnsupportedMoveError where supports() says no. */
  compile(moves: readonly Move[], conditions: Conditions): Artifact;
  /**
   * Names the code that the number of expected calls (`reuse` of the conditions) asks for, where the backend has
   * several forms of code for these moves; the word goes into the code's key. Absent, or "": expected calls change
   * nothing.
   */
  variant?(moves: readonly Move[], conditions: Conditions): string;
  /**
   * Makes a kernel of an artifact. Throws an ArtifactError where the artifact is not this backend's, or is of another
   * format version, and a DeviceError where a device or its driver refuses it.
   */
  load(artifact: Artifact): Kernel;
  /**
   * Gives what load(compile()) would, with the same errors, where no artifact is wanted. It may prepare later what only
   * some calls need, when the first of them comes. Absent: callers use load(compile()).
   */
  kernel?(moves: readonly Move[], conditions: Conditions): Kernel;
}

/** Compiled moves that were loaded. Binding memory to a kernel makes a plan. */
export interface Kernel extends Disposable {
  /**
   * Binds memory, counts and ranges to the kernel's moves: one binding a move. Everything that can be wrong is checked
   * here, once, so that running the plan need not. Throws a BindingError for what checkBindings refuses, and a
   * DisposedError after the kernel was disposed of.
   */
  bind(bindings: readonly Binding[]): Plan;
  /**
   * Does what bind, run and disposing of the plan would do, with the same errors, and costs little more than a run. It
   * reads the bindings before it returns and keeps none of them: the caller may use its records again. Absent: callers
   * bind a plan.
   */
  call?(bindings: readonly Binding[], queue?: Queue): Completion;
  /** A shorter way to make the most common calls of a kernel of one move. Absent: there is none. */
  readonly plainCall?: PlainCall | undefined;
  /** Describes how the kernel moves the bytes, for a person to read: a program, a listing, a grid. */
  explain(): string;
}

/**
 * Calls of a kernel of one move by two memories and plain numbers. A binding would be three more objects a call, whose
 * cache lines are misses once a large move has gone through L1d.
 */
export interface PlainCall {
  /**
   * Tries to do what `call` would do without a queue: `source`, `target` and their origins are the binding's spans, and
   * `count`, `first`, `length` its own. True: the bytes have moved. False: nothing was done, and the caller turns to
   * `call`, which decides.
   */
  moves(
    source: HostBuffer,
    sourceOriginBytes: number,
    target: HostBuffer,
    targetOriginBytes: number,
    count: number,
    first: number,
    length: number,
  ): boolean;
}

/** Moves that are bound to memory: checked once, run many times. */
export interface Plan extends Disposable {
  /**
   * Moves the bytes, in the order of the queue. Without a queue, a device's work has the order of its legacy default
   * stream: it comes after everything that was sent to that stream and to blocking streams before, and before what is
   * sent to them later (CUDA programming guide, "Default stream"). On a host the work is over when this returns. Throws
   * a DisposedError after the plan was disposed of, and a DeviceError where the driver refuses the work.
   */
  run(queue?: Queue): Completion;
  /**
   * Gives move `i` other memory, count or range, checked as bind checks them. On a BindingError the plan stays as it
   * was. A run under way keeps what it was started with. Spans and numbers are read before this returns: the caller may
   * use the record again.
   */
  rebind(i: number, binding: Binding): void;
  /**
   * Rebinds all moves at once, one binding a move: on a BindingError none is bound anew. Absent: a caller rebinds one
   * move after another, and an error leaves the earlier ones rebound.
   */
  rebindAll?(bindings: readonly Binding[]): void;
  /**
   * Gives all moves other tables and another number of elements. Their memory stays, and their range becomes all of the
   * elements. Checked as bind checks them: on a BindingError none is bound anew. Absent: rebindAll does it.
   */
  rebindTables?(tables: BoundTables, count: number): void;
  /**
   * Records the work of this plan once, and gives a plan whose run is one launch of a CUDA graph (CUDA programming
   * guide, "CUDA Graphs"). It is recorded on `queue`, which runs nothing. Binding other memory changes the graph's
   * addresses, and this plan's. The captured plan must be disposed of before this one. Throws a DeviceError where the
   * work cannot be captured. Absent: the plan is not a device's.
   */
  capture?(queue: Queue, options?: CaptureOptions): Plan;
}

/** A plan that has `capture`; a call of it may still throw a DeviceError for work that cannot be captured. */
export type CapturablePlan = Plan & Required<Pick<Plan, "capture">>;

/** How a plan is captured. */
export interface CaptureOptions {
  /**
   * How runs of the captured plan tell their end. "event": by an event of the driver. "flag": by a number in mapped
   * host memory, which polling reads without a call. Default: "event".
   */
  readonly completion?: "event" | "flag" | undefined;
}

/** The token under which backends are registered in a dependency-injection container. */
export const BACKEND: unique symbol = Symbol.for("stowage.backend");
