import { DisposedError, type Binding, type Completion, type Plan, type Queue } from "@stowage/backend-api";

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
