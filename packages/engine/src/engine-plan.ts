import {
  BindingError,
  DisposedError,
  type Binding,
  type Completion,
  type Plan,
  type Queue,
} from "@stowage/backend-api";
import { quoted } from "@stowage/ir";
import { requireSpan } from "./buffer-like.js";

/** A plan that its caller or its engine disposes of, whichever is first; then it lets go of its kernel. */
export class EnginePlan implements Plan {
  readonly #plan: Plan;
  readonly #release: (plan: EnginePlan) => void;
  #disposed = false;

  constructor(plan: Plan, release: (plan: EnginePlan) => void) {
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

  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#plan[Symbol.dispose]();
    this.#release(this);
  }

  #requireInUse(): void {
    if (this.#disposed) throw new DisposedError("plan");
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
