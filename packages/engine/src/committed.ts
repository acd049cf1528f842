import type { CapturablePlan, Completion, Direction, Element, UnpackOperation } from "@stowage/backend-api";
import { ArgumentError, quoted, type Layout } from "@stowage/ir";
import type { BufferLike } from "./buffer-like.js";
import {
  NO_OPTIONS,
  type CallOptions,
  type RangeOptions,
  type UnpackOptions,
  type UnpackRangeOptions,
} from "./call-options.js";
import type { Choice } from "./choose.js";
import type { CommittedMove } from "./committed-move.js";

/** The move that unpacks with an operation; undefined where that is a plain unpack. */
export type ReduceBy = (op: UnpackOperation, element: Element | undefined) => CommittedMove | undefined;

/** The direction of a move with one dense side. */
export type PackOrUnpack = Exclude<Direction, "copy" | "reduce">;

/**
 * A datatype that an engine has chosen backends for. Each direction is compiled when it is first used. Dispose of it,
 * or of its engine, once it is not needed any more: kernels that nobody uses can go.
 */
export class Committed implements Disposable {
  /** The canonical layout of the datatype. */
  readonly layout: Layout;
  readonly #pack: CommittedMove;
  readonly #unpack: CommittedMove;
  readonly #reduceBy: ReduceBy;
  /** Unpacks that combine, by operation: chosen and compiled when first used. */
  readonly #reductions = new Map<string, CommittedMove>();

  constructor(layout: Layout, pack: CommittedMove, unpack: CommittedMove, reduceBy: ReduceBy) {
    this.layout = layout;
    this.#pack = pack;
    this.#unpack = unpack;
    this.#reduceBy = reduceBy;
  }

  /**
   * Gathers the scattered bytes of `source` into the packed stream at `target` (as MPI_Pack; MPI 4.1, section 5.2). A
   * part of the stream goes where it lies in the whole: to byte `first` of `target`. On the host it is done on return;
   * on a device, once the completion says so. Throws a BindingError where memory, count or range do not fit, an
   * ArgumentError for options that there are not, a DisposedError once this or its engine has been disposed of.
   */
  pack(source: BufferLike, target: BufferLike, options: CallOptions = NO_OPTIONS): Completion {
    return this.#pack.call(source, target, options);
  }

  /**
   * Scatters the packed stream at `source` into `target` (as MPI_Unpack); with an operation, combines each element with
   * the one at its place, in packed order (as MPI_Accumulate). Bytes outside the type map stay as they are. Throws as
   * pack does, an ArgumentError where the operation is not defined for the datatype's elements, a NoBackendError where
   * no backend reduces.
   */
  unpack(source: BufferLike, target: BufferLike, options: UnpackOptions = NO_OPTIONS): Completion {
    if (!namesOperation(options)) return this.#unpack.call(source, target, options);
    const { op, element, ...others } = options;
    return this.#unpackBy(op, element).call(source, target, others);
  }

  /**
   * Makes a plan: a pack or unpack that is checked once and run many times, on a queue that run() takes. It lives until
   * the caller or the engine disposes of it. Throws as pack does.
   *
   * @example
   * ```typescript
   * using plan = column.plan("pack", matrix, packed);
   * for (let step = 0; step < 1000; step++) plan.run();
   * ```
   */
  plan(
    direction: PackOrUnpack,
    source: BufferLike,
    target: BufferLike,
    options: UnpackRangeOptions = NO_OPTIONS,
  ): CapturablePlan {
    if (direction !== "unpack" || !namesOperation(options))
      return this.#moveOf(direction).plan(source, target, options);
    const { op, element, ...others } = options;
    return this.#unpackBy(op, element).plan(source, target, others);
  }

  /** Compiles a direction, or both, ahead of its first use. Throws a DisposedError as pack does. */
  compile(direction?: PackOrUnpack): void {
    if (direction !== undefined) return this.#moveOf(direction).compile();
    this.#pack.compile();
    this.#unpack.compile();
  }

  /** The backend chosen for a direction, and why the others were not. Throws an ArgumentError for another direction. */
  choice(direction: PackOrUnpack): Choice {
    return this.#moveOf(direction).choice;
  }

  /**
   * How the chosen backend moves the bytes: its program, listing or grid. Compiles the direction where nothing has yet.
   */
  explain(direction: PackOrUnpack): string {
    return this.#moveOf(direction).explain();
  }

  /** Lets go of the kernels; runs under way and plans keep what they need. Later calls throw a DisposedError. */
  [Symbol.dispose](): void {
    this.#pack[Symbol.dispose]();
    this.#unpack[Symbol.dispose]();
    for (const move of this.#reductions.values()) move[Symbol.dispose]();
  }

  #unpackBy(op: UnpackOperation = "MPI_REPLACE", element?: Element): CommittedMove {
    const key = `${op} ${element}`;
    const known = this.#reductions.get(key) ?? this.#reduceBy(op, element);
    if (known === undefined) return this.#unpack;
    this.#reductions.set(key, known);
    return known;
  }

  #moveOf(direction: PackOrUnpack): CommittedMove {
    if (direction === "pack") return this.#pack;
    if (direction === "unpack") return this.#unpack;
    throw new ArgumentError("direction", "pack or unpack", quoted(direction));
  }
}

/** Whether options say what becomes of the elements that are there. What else may be wrong with them, the move says. */
const namesOperation = (options: RangeOptions): boolean =>
  typeof options === "object" && (options as RangeOptions | null) !== null && ("op" in options || "element" in options);
