import {
  checkBindings,
  DeviceError,
  type Binding,
  type BoundTables,
  type CapturablePlan,
  type CaptureOptions,
  type Completion,
  type Conditions,
  type Move,
  type Plan,
  type Queue,
} from "@stowage/backend-api";
import type { SharedKernel } from "../shared-kernel.js";

/** A plan of one kernel, which lets go of it when it ends. */
export class HeldPlan implements CapturablePlan {
  readonly #kernel: SharedKernel;
  readonly #moves: readonly Move[];
  readonly #conditions: Conditions;
  readonly #bindings: readonly Binding[];
  readonly #plan: Plan;

  /** The kernel is held for this plan already. Throws what binding does, and lets go of it then. */
  constructor(kernel: SharedKernel, moves: readonly Move[], conditions: Conditions, bindings: readonly Binding[]) {
    this.#kernel = kernel;
    this.#moves = moves;
    this.#conditions = conditions;
    this.#bindings = bindings;
    try {
      this.#plan = kernel.kernel.bind(bindings);
    } catch (error) {
      kernel.release();
      throw error;
    }
  }

  run(queue?: Queue): Completion {
    return this.#plan.run(queue);
  }

  rebind(i: number, binding: Binding): void {
    this.#plan.rebind(i, binding);
  }

  /** Other tables for all moves at once, or for none. */
  rebindTables(tables: BoundTables, count: number): void {
    if (this.#plan.rebindTables !== undefined) return this.#plan.rebindTables(tables, count);
    const bindings = this.#bindings.map((binding, i) => {
      return { ...binding, tables, count, length: count * (this.#moves[i] as Move).source.sizeBytes };
    });
    if (this.#plan.rebindAll !== undefined) return this.#plan.rebindAll(bindings);
    checkBindings(this.#moves, bindings, this.#conditions);
    bindings.forEach((binding, i) => this.#plan.rebind(i, binding));
  }

  capture(queue: Queue, options: CaptureOptions): Plan {
    return capturedPlan(this.#plan, this.#kernel, queue, options);
  }

  [Symbol.dispose](): void {
    this.#plan[Symbol.dispose]();
    this.#kernel.release();
  }
}

/** What capturing a plan gives. Throws a DeviceError where its work is the host's. */
export function capturedPlan(plan: Plan, { backend }: SharedKernel, queue: Queue, options: CaptureOptions): Plan {
  if (plan.capture !== undefined) return plan.capture(queue, options);
  throw new DeviceError(
    `capture of a plan of backend ${backend.name}: expected work of a device alone, got work of the host`,
  );
}
