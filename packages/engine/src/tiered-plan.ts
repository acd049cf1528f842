import type { Binding, CapturablePlan, CaptureOptions, Completion, Plan, Queue } from "@stowage/backend-api";
import { capturedPlan } from "./pages/held-plan.js";
import type { SharedKernel } from "./shared-kernel.js";
import type { TieredKernels } from "./tiered-kernels.js";

/**
 * A plan whose runs count as uses: once another kernel has been compiled for them, it is bound in place of the one
 * before. What may still run stays until the plan is disposed of.
 */
export class TieredPlan implements CapturablePlan {
  readonly #kernels: TieredKernels;
  readonly #replaced: Plan[] = [];
  readonly #held: SharedKernel[] = [];
  #binding: Binding;
  #kernel: SharedKernel;
  #plan: Plan;
  /** No other kernel comes. */
  #isSettled = false;

  /** Throws what binding does. */
  constructor(kernels: TieredKernels, binding: Binding) {
    this.#kernels = kernels;
    this.#binding = binding;
    this.#kernel = kernels.use(binding.count);
    this.#plan = this.#kernel.kernel.bind([binding]);
    this.#hold();
  }

  run(queue?: Queue): Completion {
    if (!this.#isSettled) this.#look();
    return this.#plan.run(queue);
  }

  rebind(i: number, binding: Binding): void {
    this.#plan.rebind(i, binding);
    if (!this.#isSettled) this.#binding = { ...binding };
  }

  /** By the last kernel that there will be, at once: what is captured is run often. */
  capture(queue: Queue, options: CaptureOptions): Plan {
    if (!this.#isSettled && !this.#kernels.isDisposed) this.#become(this.#kernels.last(this.#binding.count));
    this.#isSettled = true;
    return capturedPlan(this.#plan, this.#kernel, queue, options);
  }

  [Symbol.dispose](): void {
    for (const plan of [...this.#replaced, this.#plan]) plan[Symbol.dispose]();
    for (const kernel of this.#held) kernel.release();
  }

  #look(): void {
    if (!this.#kernels.isDisposed) {
      this.#become(this.#kernels.use(this.#binding.count));
    }
    this.#isSettled = this.#kernels.isDisposed || this.#kernels.settled === this.#kernel;
  }

  #become(kernel: SharedKernel): void {
    if (kernel === this.#kernel) return;
    const plan = kernel.kernel.bind([this.#binding]);
    this.#replaced.push(this.#plan);
    this.#plan = plan;
    this.#kernel = kernel;
    this.#hold();
  }

  #hold(): void {
    this.#kernel.hold();
    this.#held.push(this.#kernel);
  }
}
