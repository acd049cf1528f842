import type { Artifact } from "./artifact.js";
import type { Binding, BoundTables } from "./binding.js";
import type { Completion } from "./completion.js";
import type { Conditions } from "./conditions.js";
import type { Profile } from "./cost/profile.js";
import { isReducing, isTabled, requireMoves, type Move } from "./move.js";
import type { HostBuffer } from "./host-buffer.js";
import type { Queue } from "./queue.js";

/** Whether a backend takes some moves; where it does not, why, in words for the user. */
export type Support = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** The answer of a backend that takes the moves. */
export const SUPPORTED: Support = Object.freeze({ ok: true });
/** The answer of a backend that does not take the moves, with the reason. */
export const unsupported = (reason: string): Support => Object.freeze({ ok: false, reason });

/** What a backend that does not declare `reduces` says of moves with a reduction. */
export const NO_REDUCTIONS: Support = unsupported("it declares no reducing moves");

/** What a backend that does not declare `tables` says of moves with some. */
export const NO_TABLES: Support = unsupported("it declares no moves with displacement tables");

/**
 * What a backend says of some moves, for whoever is about to hand them over: one that does not declare reducing moves,
 * or moves with tables, is not asked about them, for it may not know that there are any.
 */
export function supportOf(backend: Backend, moves: readonly Move[], conditions: Conditions): Support {
  requireMoves(moves);
  if (backend.reduces !== true && moves.some(isReducing)) return NO_REDUCTIONS;
  if (backend.tables !== true && moves.some(isTabled)) return NO_TABLES;
  return backend.supports(moves, conditions);
}

/** What a backend is predicted to take. */
export interface Prediction {
  /** Nanoseconds to compile and load, once. */
  readonly commitNs: number;
  /** Nanoseconds to move the elements that the conditions name ("any" counts as one), once committed. */
  readonly runNs: number;
  /** Relative error to be expected of runNs, root of the mean square; absent: not known. */
  readonly uncertainty?: number;
}

/** One way to move bytes. A list of moves is one launch. */
export interface Backend {
  readonly name: string;
  /**
   * Declares that it knows moves with a reduction; which of them it takes, supports() says. Absent: it is handed none.
   */
  readonly reduces?: boolean;
  /** Declares the same of moves with displacement tables. */
  readonly tables?: boolean;
  supports(moves: readonly Move[], conditions: Conditions): Support;
  /**
   * Pure: reads no clock and asks no device. A backend without it is taken to be right where it supports the moves: it
   * was registered for a purpose.
   */
  predict?(moves: readonly Move[], conditions: Conditions, profile: Profile): Prediction;
  /** Throws an UnsupportedMoveError where supports() says no. */
  compile(moves: readonly Move[], conditions: Conditions): Artifact;
  /**
   * Names the code that the expected calls (`reuse` of the conditions) ask for, where there are several for these
   * moves; the word goes into the code's key. Absent, or "": expected calls change nothing.
   */
  variant?(moves: readonly Move[], conditions: Conditions): string;
  /** Throws an ArtifactError where the artifact is not this backend's, or of another format version. */
  load(artifact: Artifact): Kernel;
  /**
   * What load(compile()) would give, with the same errors, where no artifact is wanted: it may prepare what only some
   * calls need when the first of them comes.
   */
  kernel?(moves: readonly Move[], conditions: Conditions): Kernel;
}

/** Compiled moves that were loaded: binding memory makes a plan. */
export interface Kernel extends Disposable {
  /**
   * Binds memory, counts and ranges to the kernel's moves: one binding a move. Everything that can be wrong is checked
   * here, once, so that running the plan need not. Throws a BindingError.
   */
  bind(bindings: readonly Binding[]): Plan;
  /**
   * What bind, run and disposing of the plan would do, with the same errors; where it is there, it costs little more
   * than a run. It reads the bindings before it returns and keeps none of them: the caller may use its records again.
   */
  call?(bindings: readonly Binding[], queue?: Queue): Completion;
  /** What makes the most common calls of a kernel of one move, where it has a shorter way for them. */
  readonly plainCall?: PlainCall | undefined;
  /** How it moves the bytes, for a person: a program, a listing, a grid. */
  explain(): string;
}

/**
 * Calls of a kernel by two memories and numbers: a binding would be three more objects a call, whose lines are misses
 * once a large move has gone through L1d.
 */
export interface PlainCall {
  /**
   * True: what `call` would do without a queue has been done, and the bytes have moved. False: nothing was done, and
   * `call` is to decide.
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
   * Moves the bytes, in the order of the queue. Without one, a device's work has the order of its legacy default
   * stream: it comes after everything that was sent to that stream and to blocking streams before, and before what is
   * sent to them later. CUDA programming guide, "Default stream". On a host it is over when this returns.
   */
  run(queue?: Queue): Completion;
  /**
   * Other memory, count or range for move i; checked like bind. On an error the plan stays as it was, and a run under
   * way keeps what it was started with. Spans and numbers are read before it returns: the record may be used again.
   */
  rebind(i: number, binding: Binding): void;
  /**
   * Rebinds all moves at once: on an error none is bound anew. Absent: where one move is bound anew, the others may not
   * be.
   */
  rebindAll?(bindings: readonly Binding[]): void;
  /**
   * Other tables and another number of elements for all moves, whose memory stays; all their elements move. Checked
   * like bind, and on an error none is bound anew. Absent: rebindAll does it.
   */
  rebindTables?(tables: BoundTables, count: number): void;
  /**
   * The work of this plan recorded once, as a plan whose run is one launch of a graph (CUDA programming guide, "CUDA
   * Graphs"). It is recorded on `queue`, which runs nothing; binding other memory changes the graph's addresses, and
   * this plan's. It must be disposed of before this plan. Throws a DeviceError where the work cannot be captured.
   * Absent: it is not a device's.
   */
  capture?(queue: Queue, options?: CaptureOptions): Plan;
}

/** A plan that says itself what of it cannot be captured. */
export type CapturablePlan = Plan & Required<Pick<Plan, "capture">>;

/** How a plan is captured. */
export interface CaptureOptions {
  /**
   * How runs tell their end. "event": by an event of the driver. "flag": by a number in mapped host memory, which
   * polling reads without a call. Default: "event".
   */
  readonly completion?: "event" | "flag" | undefined;
}

/** The token under which backends are registered in a dependency-injection container. */
export const BACKEND: unique symbol = Symbol.for("stowage.backend");
