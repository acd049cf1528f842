import {
  checkBindings,
  DisposedError,
  type Artifact,
  type Binding,
  type Completion,
  type Kernel,
  type Plan,
  type Queue,
} from "@stowage/backend-api";
import type { Context } from "@stowage/cuda-driver";
import { CallPlans } from "./call-plans.js";
import { CudaPlan } from "./cuda-plan.js";
import { withDeviceErrors } from "./device-errors.js";
import type { Prepare } from "./work.js";

/** What tells one backend's kernels from another's. */
export interface KernelParts {
  /** Where bindings are to run. Throws what drivers throw, and a BindingError. */
  readonly contextFor: (bindings: readonly Binding[]) => Context;
  readonly prepare: Prepare;
  /** Whether memory is asked about before kernels touch it: see checkPointers. */
  readonly asksPointers: boolean;
  /** A plan of the backend's own, in place of one of prepared work. */
  readonly planOn?: (context: Context, bindings: readonly Binding[]) => Plan;
  explain(): string;
  /** Lets go of what the kernel holds on devices. */
  release?(): void;
}

/** An artifact, loaded: what it is bound to is checked, and calls go by plans that are kept. */
export class CudaKernel implements Kernel {
  readonly #artifact: Artifact;
  readonly #parts: KernelParts;
  readonly #calls = new CallPlans(
    (bindings) => this.bind(bindings),
    (bindings) => this.#contextFor(bindings).device.ordinal,
  );
  #disposed = false;

  constructor(artifact: Artifact, parts: KernelParts) {
    this.#artifact = artifact;
    this.#parts = parts;
  }

  bind(bindings: readonly Binding[]): Plan {
    if (this.#disposed) throw new DisposedError("kernel");
    const { moves, conditions } = this.#artifact;
    checkBindings(moves, bindings, conditions);
    const { prepare, asksPointers, planOn } = this.#parts;
    const context = this.#contextFor(bindings);
    if (planOn !== undefined) return planOn(context, bindings);
    return new CudaPlan({ moves, conditions, context, prepare, asksPointers }, bindings);
  }

  /** What bind, run and disposing of the plan would do, by a plan that is kept. */
  call(bindings: readonly Binding[], queue?: Queue): Completion {
    if (this.#disposed) throw new DisposedError("kernel");
    return this.#calls.call(bindings, this.#artifact.moves.length, queue);
  }

  explain(): string {
    return this.#parts.explain();
  }

  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#calls[Symbol.dispose]();
    withDeviceErrors(() => this.#parts.release?.());
  }

  #contextFor(bindings: readonly Binding[]): Context {
    return withDeviceErrors(() => this.#parts.contextFor(bindings));
  }
}
