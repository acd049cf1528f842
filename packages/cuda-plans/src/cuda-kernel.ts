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
  /**
   * Gives the context that bindings are to run in. Throws a DriverError, and a BindingError for devices that do not
   * reach each other.
   */
  readonly contextFor: (bindings: readonly Binding[]) => Context;
  /** Makes work of bindings that have been checked. */
  readonly prepare: Prepare;
  /** Whether the driver is asked about memory before kernels touch it (checkPointers). */
  readonly asksPointers: boolean;
  /** Makes a plan of the backend's own, in place of a CudaPlan of prepared work. Absent: it has none. */
  readonly planOn?: (context: Context, bindings: readonly Binding[]) => Plan;
  /** Describes how the kernel moves the bytes, for a person. */
  explain(): string;
  /** Gives back what the kernel holds on devices. Absent: it holds nothing. */
  release?(): void;
}

/** The kernel of an artifact: what it is bound to is checked, and calls go by plans that are kept. */
export class CudaKernel implements Kernel {
  readonly #artifact: Artifact;
  readonly #parts: KernelParts;
  readonly #calls = new CallPlans(
    (bindings) => this.bind(bindings),
    (bindings) => this.#contextFor(bindings).device.ordinal,
  );
  #disposed = false;

  /** Allocates nothing on a device. */
  constructor(artifact: Artifact, parts: KernelParts) {
    this.#artifact = artifact;
    this.#parts = parts;
  }

  /**
   * Checks bindings and makes a plan. Throws a BindingError, a DeviceError where the driver fails, and a DisposedError.
   */
  bind(bindings: readonly Binding[]): Plan {
    if (this.#disposed) throw new DisposedError("kernel");
    const { moves, conditions } = this.#artifact;
    checkBindings(moves, bindings, conditions);
    const { prepare, asksPointers, planOn } = this.#parts;
    const context = this.#contextFor(bindings);
    if (planOn !== undefined) return planOn(context, bindings);
    return new CudaPlan({ moves, conditions, context, prepare, asksPointers }, bindings);
  }

  /** Does what bind, run and disposing of the plan would do, by a plan that is kept; with the same errors. */
  call(bindings: readonly Binding[], queue?: Queue): Completion {
    if (this.#disposed) throw new DisposedError("kernel");
    return this.#calls.call(bindings, this.#artifact.moves.length, queue);
  }

  /** Describes how the kernel moves the bytes, for a person. */
  explain(): string {
    return this.#parts.explain();
  }

  /** Disposes of the plans of calls, and of what the kernel holds on devices. */
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
