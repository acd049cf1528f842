import {
  BindingError,
  DisposedError,
  type Binding,
  type BoundTables,
  type CapturablePlan,
  type CaptureOptions,
  type Completion,
  type Plan,
  type Queue,
} from "@stowage/backend-api";
import { ArgumentError, quoted } from "@stowage/ir";
import { requireSpan } from "./buffer-like.js";
import { QUEUE } from "./call-options.js";
import { checkOptions, oneOf, type Rules } from "./check-options.js";

const CAPTURE_RULES: Rules<CaptureOptions> = { completion: oneOf("event", "flag") };

/** A plan that its caller or its engine disposes of, whichever is first; then it lets go of its kernel. */
export class EnginePlan implements CapturablePlan {
  readonly #plan: CapturablePlan;
  readonly #release: (plan: EnginePlan) => void;
  /** They go before what they were captured from. */
  readonly #captured = new Set<CapturedEnginePlan>();
  #disposed = false;

  constructor(plan: CapturablePlan, release: (plan: EnginePlan) => void) {
    this.#plan = plan;
    this.#release = release;
  }

  run(queue?: Queue): Completion {
    this.#requireInUse();
    return this.#plan.run(queue);
  }

  rebind(i: number, binding: Binding): void {
    this.#requireInUse();
    requireBinding(i, binding);
    this.#plan.rebind(i, binding);
  }

  /** Other tables for all moves; only of plans whose own plan can. */
  rebindTables(tables: BoundTables, count: number): void {
    this.#requireInUse();
    this.#plan.rebindTables?.(tables, count);
  }

  /** As the plan of the backend does, by the fastest of the backends that were chosen; ended with this. */
  capture(queue: Queue, options: CaptureOptions = {}): Plan {
    this.#requireInUse();
    if (!QUEUE.allows(queue)) throw new ArgumentError("queue to capture on", QUEUE.expected, quoted(queue));
    checkOptions("capture options", options, CAPTURE_RULES);
    const captured = new CapturedEnginePlan(this.#plan.capture(queue, options), (ended) => {
      this.#captured.delete(ended);
    });
    this.#captured.add(captured);
    return captured;
  }

  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    for (const captured of this.#captured) captured[Symbol.dispose]();
    this.#plan[Symbol.dispose]();
    this.#release(this);
  }

  #requireInUse(): void {
    if (this.#disposed) throw new DisposedError("plan");
  }
}

/** What was captured from a plan, which disposes of it where its caller has not. */
class CapturedEnginePlan implements Plan {
  readonly #plan: Plan;
  readonly #release: (plan: CapturedEnginePlan) => void;
  #disposed = false;

  constructor(plan: Plan, release: (plan: CapturedEnginePlan) => void) {
    this.#plan = plan;
    this.#release = release;
  }

  run(queue?: Queue): Completion {
    return this.#plan.run(queue);
  }

  rebind(i: number, binding: Binding): void {
    requireBinding(i, binding);
    this.#plan.rebind(i, binding);
  }

  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#plan[Symbol.dispose]();
    this.#release(this);
  }
}

/** Whether it has the form of a binding; what it holds, the plan checks. */
function requireBinding(i: number, binding: Binding): void {
  if (typeof i !== "number") throw new BindingError("move to bind", "its index", quoted(i));
  if (typeof binding !== "object" || binding === null) throw new BindingError("binding", "an object", quoted(binding));
  const { source, target, count, first, length } = binding;
  requireSpan("source", source);
  requireSpan("target", target);
  if (typeof count !== "number") throw new BindingError("count", "a number", quoted(count));
  if (typeof first !== "number") throw new BindingError("first byte", "a number", quoted(first));
  if (typeof length !== "number") throw new BindingError("length", "a number", quoted(length));
}
