import {
  DisposedError,
  type Binding,
  DONE,
  hostMemory,
  type Completion,
  type Conditions,
  type Kernel,
  type Move,
  type Plan,
  type Span,
} from "@stowage/backend-api";
import type { PackedRange } from "@stowage/ir";
import { spanOf, type BufferLike } from "./buffer-like.js";
import {
  checkCallOptions,
  checkRangeOptions,
  NO_OPTIONS,
  writeRange,
  type CallOptions,
  type RangeOptions,
  type RangeRecord,
} from "./call-options.js";
import type { Choice } from "./choose.js";
import { EnginePlan } from "./engine-plan.js";
import type { EngineResources } from "./engine-resources.js";
import type { SharedKernel } from "./shared-kernel.js";

const NOWHERE: Span = Object.freeze({ memory: hostMemory(new Uint8Array(0)), originBytes: 0 });

/** A move whose backend has been chosen; its kernel is compiled when first used, and let go of when it is disposed of. */
export class CommittedMove implements Disposable {
  readonly move: Move;
  readonly choice: Choice;
  readonly #conditions: Conditions;
  readonly #engine: EngineResources;
  /** The binding of calls, written anew by each; kernels keep none of it. */
  readonly #binding: { -readonly [Name in keyof Binding]: Binding[Name] };
  readonly #bindings: readonly Binding[];
  /** Of a call without options. */
  readonly #whole: PackedRange;
  #shared: SharedKernel | undefined;
  #disposed = false;

  constructor(move: Move, conditions: Conditions, choice: Choice, engine: EngineResources) {
    this.move = move;
    this.choice = choice;
    this.#conditions = conditions;
    this.#engine = engine;
    this.#whole = this.#rangeOf(NO_OPTIONS);
    this.#binding = { source: NOWHERE, target: NOWHERE, count: 0, first: 0, length: 0 };
    this.#bindings = [this.#binding];
  }

  /** Moves the bytes once; the caller waits or does not. */
  call(source: BufferLike, target: BufferLike, options: CallOptions): Completion {
    const shared = this.#requireShared();
    checkCallOptions(options);
    const { kernel } = shared;
    const { inFlight } = this.#engine;
    if (kernel.call === undefined)
      return inFlight.run(this.#bind(kernel, source, target, options), shared, options.queue);
    try {
      this.#write(source, target, options);
      const completion = kernel.call(this.#bindings, options.queue);
      return completion === DONE ? DONE : inFlight.keep(completion, shared);
    } finally {
      // Until here the memory was held, so that no collection took it while code ran; nothing of the caller's is kept.
      this.#binding.source = NOWHERE;
      this.#binding.target = NOWHERE;
    }
  }

  /** A plan that the caller disposes of. */
  plan(source: BufferLike, target: BufferLike, options: RangeOptions): Plan {
    const shared = this.#requireShared();
    checkRangeOptions(options);
    const { plans } = this.#engine;
    const plan = new EnginePlan(this.#bind(shared.kernel, source, target, options), (ended) => {
      plans.delete(ended);
      shared.release();
    });
    shared.hold();
    plans.add(plan);
    return plan;
  }

  /** Ahead of its first use. */
  compile(): void {
    this.#requireShared();
  }

  explain(): string {
    return this.#requireShared().kernel.explain();
  }

  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#shared?.release();
  }

  #requireShared(): SharedKernel {
    this.#engine.requireOpen();
    if (this.#disposed) throw new DisposedError("committed datatype");
    return (this.#shared ??= this.#engine.kernels.hold(this.choice.chosen, [this.move], this.#conditions));
  }

  #write(source: BufferLike, target: BufferLike, options: RangeOptions): void {
    const binding = this.#binding;
    if (options === NO_OPTIONS) {
      const { count, first, length } = this.#whole;
      binding.count = count;
      binding.first = first;
      binding.length = length;
    } else writeRange(binding, options, this.move.source.sizeBytes, this.#conditions.count);
    binding.source = this.#engine.spans.of("source", source);
    binding.target = this.#engine.spans.of("target", target);
  }

  #rangeOf(options: RangeOptions): PackedRange {
    const range: RangeRecord = { count: 0, first: 0, length: 0 };
    writeRange(range, options, this.move.source.sizeBytes, this.#conditions.count);
    return range;
  }

  #bind(kernel: Kernel, source: BufferLike, target: BufferLike, options: RangeOptions): Plan {
    const range = this.#rangeOf(options);
    return kernel.bind([{ source: spanOf("source", source), target: spanOf("target", target), ...range }]);
  }
}
