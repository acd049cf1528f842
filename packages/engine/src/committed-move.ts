import {
  DisposedError,
  type Binding,
  type Completion,
  type Conditions,
  type Kernel,
  type Move,
  type Plan,
} from "@stowage/backend-api";
import { spanOf, type BufferLike } from "./buffer-like.js";
import { checkCallOptions, checkRangeOptions, rangeOf, type CallOptions, type RangeOptions } from "./call-options.js";
import type { Choice } from "./choose.js";
import { EnginePlan } from "./engine-plan.js";
import type { EngineResources } from "./engine-resources.js";
import type { SharedKernel } from "./shared-kernel.js";

/** A move whose backend has been chosen; its kernel is compiled when first used, and let go of when it is disposed of. */
export class CommittedMove implements Disposable {
  readonly move: Move;
  readonly choice: Choice;
  readonly #conditions: Conditions;
  readonly #engine: EngineResources;
  #shared: SharedKernel | undefined;
  #disposed = false;

  constructor(move: Move, conditions: Conditions, choice: Choice, engine: EngineResources) {
    this.move = move;
    this.choice = choice;
    this.#conditions = conditions;
    this.#engine = engine;
  }

  /** Moves the bytes once; the caller waits or does not. */
  call(source: BufferLike, target: BufferLike, options: CallOptions): Completion {
    const shared = this.#requireShared();
    checkCallOptions(options);
    return this.#engine.inFlight.run(this.#bind(shared.kernel, source, target, options), shared, options.queue);
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

  #bind(kernel: Kernel, source: BufferLike, target: BufferLike, options: RangeOptions): Plan {
    const range = rangeOf(options, this.move.source.sizeBytes, this.#conditions.count);
    const binding: Binding = { source: spanOf("source", source), target: spanOf("target", target), ...range };
    return kernel.bind([binding]);
  }
}
