import type { CapturablePlan, Completion, Move } from "@stowage/backend-api";
import type { BufferLike } from "./buffer-like.js";
import { NO_OPTIONS, type CallOptions, type RangeOptions } from "./call-options.js";
import type { Choice } from "./choose.js";
import type { CommittedMove } from "./committed-move.js";

/**
 * Two datatypes of one signature, and what copies elements of the first to elements of the second; compiled when it is
 * first used. Dispose of it, or of its engine, once it is not needed any more.
 */
export class CommittedCopy implements Disposable {
  readonly #copy: CommittedMove;

  constructor(copy: CommittedMove) {
    this.#copy = copy;
  }

  /** The move from the canonical layout of the first datatype to that of the second. */
  get move(): Move {
    return this.#copy.move;
  }

  /** The backend that was chosen, and why the others were not. */
  get choice(): Choice {
    return this.#copy.choice;
  }

  /**
   * Moves the bytes of `from`, laid out as the first datatype, to their places in `to` as the second has them. Bytes
   * outside the second's type map stay as they are. On the host it is done on return; on a device, once the completion
   * says so. Throws a BindingError where memory, count or range do not fit, or a byte is both read and written; else as
   * Committed.pack does.
   */
  copy(from: BufferLike, to: BufferLike, options: CallOptions = NO_OPTIONS): Completion {
    return this.#copy.call(from, to, options);
  }

  /**
   * Makes a plan: a copy that is checked once and run many times. It lives until the caller or the engine disposes of
   * it. Throws as copy does.
   */
  plan(from: BufferLike, to: BufferLike, options: RangeOptions = NO_OPTIONS): CapturablePlan {
    return this.#copy.plan(from, to, options);
  }

  /** Compiles ahead of the first copy. Throws a DisposedError once this or its engine has been disposed of. */
  compile(): void {
    this.#copy.compile();
  }

  /** How the chosen backend moves the bytes: its program, listing or grid. Compiles where nothing has yet. */
  explain(): string {
    return this.#copy.explain();
  }

  /** Lets go of the kernel; runs under way and plans keep what they need. Later calls throw a DisposedError. */
  [Symbol.dispose](): void {
    this.#copy[Symbol.dispose]();
  }
}
