import {
  checkBinding,
  DisposedError,
  DONE,
  type Binding,
  type CaptureOptions,
  type Completion,
  type Conditions,
  type Move,
  type Plan,
  type Queue,
} from "@stowage/backend-api";
import type { Context, Launch, StreamHandle } from "@stowage/cuda-driver";
import { BoundMoves } from "./bound-moves.js";
import { CapturedPlan, type Capturable } from "./captured-plan.js";
import { checkPointers } from "./check-pointers.js";
import { Completions } from "./completions.js";
import { asDeviceError, withDeviceErrors } from "./device-errors.js";
import { KeptWork } from "./kept-work.js";
import { LEGACY_STREAM } from "./legacy-stream.js";
import { otherAlignments } from "./other-alignments.js";
import { requireOwnQueue } from "./require-own-queue.js";
import { SameRange } from "./same-range.js";
import type { Prepare, Work } from "./work.js";

/** What a plan has from its kernel. */
export interface PlanParts {
  /** The moves of the artifact, one a binding. */
  readonly moves: readonly Move[];
  /** The conditions of the artifact. */
  readonly conditions: Conditions;
  /** The context that the plan runs in. */
  readonly context: Context;
  /** Makes work of bindings that have been checked. */
  readonly prepare: Prepare;
  /** Whether the driver is asked about memory before kernels touch it (checkPointers). */
  readonly asksPointers: boolean;
}

/**
 * Moves bound to memory on one device. Other addresses are written into the work as it is; where more than addresses
 * changed, or they are aligned otherwise, the next run takes work that was kept, or prepares it.
 */
export class CudaPlan implements Plan, Capturable {
  readonly #parts: PlanParts;
  readonly #bound: BoundMoves;
  readonly #ranges: SameRange;
  readonly #kept: KeptWork;
  readonly #completions: Completions;
  /** Undefined where the bindings call for other work. */
  #work: Work | undefined;
  /**
   * Whether the moves were bound anew; true of a single move from the start, whose addresses are few wherever they
   * stand.
   */
  #rebound: boolean;
  #disposed = false;

  /**
   * Takes bindings that have been checked, but for what only the driver knows. Throws a BindingError for memory that
   * the driver does not know so, and a DeviceError where the driver fails.
   */
  constructor(parts: PlanParts, bindings: readonly Binding[]) {
    this.#parts = parts;
    this.#bound = new BoundMoves(bindings);
    this.#rebound = bindings.length === 1;
    this.#ranges = new SameRange(parts.moves, parts.conditions);
    this.#completions = new Completions(parts.context);
    this.#kept = new KeptWork(this.#completions);
    bindings.forEach((binding, i) => this.#ask(i, binding));
    this.#work = withDeviceErrors(() => this.#prepare());
  }

  /**
   * Sends the work to the queue; without one, to the legacy default stream, in the order that it has with blocking
   * streams. Throws a DisposedError, a BindingError for a queue of another device, and a DeviceError.
   */
  run(queue: StreamHandle = LEGACY_STREAM): Completion {
    if (this.#disposed) throw new DisposedError("plan");
    requireOwnQueue(this.#parts.context, queue);
    try {
      const work = (this.#work ??= this.#prepare());
      if (work.empty) return DONE;
      work.send(queue);
      return this.#completions.record(queue);
    } catch (error) {
      throw asDeviceError(error);
    }
  }

  /**
   * Binds move i to other memory, count or range. Throws a BindingError and leaves the plan as it was, and a
   * DisposedError.
   */
  rebind(i: number, binding: Binding): void {
    if (this.#disposed) throw new DisposedError("plan");
    if (!this.#ranges.accepts(i, binding)) {
      checkBinding(this.#parts.moves, i, binding, this.#parts.conditions);
      this.#ranges.learn(i, binding);
    }
    this.#ask(i, binding);
    const work = this.#work;
    const onlyAddresses = this.#bound.set(i, binding, work?.congruentBytes ?? 1);
    if (!onlyAddresses || !this.#rebound) this.#work = undefined;
    else work?.readdress(i, this.#bound.source(i), this.#bound.target(i));
    this.#rebound = true;
  }

  /**
   * Records this plan's work as a graph: a run is one launch of it, whatever the work is made of. The plan must outlive
   * it. Throws a DeviceError where the work cannot be captured (batches of copies), a BindingError for a queue of
   * another device, and a DisposedError.
   */
  capture(queue: Queue, options: CaptureOptions = {}): CapturedPlan {
    if (this.#disposed) throw new DisposedError("plan");
    return new CapturedPlan(this, queue, options);
  }

  /** The context that the plan runs in. */
  get context(): Context {
    return this.#parts.context;
  }

  /** The launches of the work at hand, where it is nothing else; undefined where it is more, or has to be prepared. */
  get launches(): readonly Launch[] | undefined {
    return this.#work?.launches;
  }

  /** Prepares the work; false where there is nothing to send. */
  readyForCapture(): boolean {
    return !(this.#work ??= this.#prepare()).empty;
  }

  /** Uploads now what the work would upload in stream order. */
  settle(): void {
    this.#work?.settle?.();
  }

  /** Sends the work to a queue that is capturing. */
  sendCaptured(queue: StreamHandle): void {
    const work = (this.#work ??= this.#prepare());
    if (work.sendCaptured === undefined) work.send(queue);
    else work.sendCaptured(queue);
  }

  /** Does nothing: a capture uses what the plan has. */
  releaseCapture(): void {
    // It uses what the plan has.
  }

  /** Gives back what the plan holds. Waits for runs only where they read device memory that goes with the plan. */
  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    withDeviceErrors(() => {
      this.#kept[Symbol.dispose]();
      this.#completions[Symbol.dispose]();
    });
  }

  #ask(i: number, binding: Binding): void {
    if (!this.#parts.asksPointers) return;
    try {
      checkPointers(this.#parts.context, i, binding);
    } catch (error) {
      throw asDeviceError(error);
    }
  }

  /** Work that was kept, with the addresses as they are now; or new work. */
  #prepare(): Work {
    const key = this.#rebound ? this.#bound.key() : undefined;
    const kept = this.#kept.take(key);
    if (kept === undefined) return this.#kept.keep(key, this.#prepareAnew());
    for (let i = 0; i < this.#parts.moves.length; i++) {
      kept.readdress(i, this.#bound.source(i), this.#bound.target(i));
    }
    return kept;
  }

  /** With the second work of a single move, kernels are loaded for every alignment that addresses may have. */
  #prepareAnew(): Work {
    const { context, prepare } = this.#parts;
    const bindings = this.#bound.bindings();
    const usage = { rebound: this.#rebound };
    const work = prepare(context, bindings, usage);
    if (this.#kept.size === 1 && work.congruentBytes > 1) {
      for (const other of otherAlignments(bindings)) prepare(context, other, usage)[Symbol.dispose]();
    }
    return work;
  }
}
