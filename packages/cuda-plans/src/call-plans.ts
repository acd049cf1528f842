import {
  isAddressSpace,
  type Binding,
  type Completion,
  type Memory,
  type Plan,
  type Queue,
} from "@stowage/backend-api";

/**
 * The plans of one kernel's calls, one a device: each call binds its plan again and runs it. The completion of a call
 * is that of its queue: it may be told over only when later calls on the same queue are.
 */
export class CallPlans implements Disposable {
  readonly #bind: (bindings: readonly Binding[]) => Plan;
  readonly #deviceOf: (bindings: readonly Binding[]) => number;
  readonly #plans = new Map<number, Plan>();
  #latest: Plan | undefined;
  #latestDevice = -1;

  /**
   * `bind` checks everything and makes a plan; `deviceOf` gives the ordinal of the device that bindings are to run on,
   * or throws.
   */
  constructor(bind: (bindings: readonly Binding[]) => Plan, deviceOf: (bindings: readonly Binding[]) => number) {
    this.#bind = bind;
    this.#deviceOf = deviceOf;
  }

  /**
   * Runs `moves` bindings by the plan that is kept for their device, on `queue` (absent: the legacy default stream).
   * Throws what `bind`, rebinding and running throw.
   */
  call(bindings: readonly Binding[], moves: number, queue?: Queue): Completion {
    const plan = bindings.length === moves && this.#isOnLatest(bindings) ? this.#latest : undefined;
    if (plan === undefined) return this.#other(bindings, moves).run(queue);
    if (plan.rebindAll === undefined) for (let i = 0; i < moves; i++) plan.rebind(i, bindings[i] as Binding);
    else plan.rebindAll(bindings);
    return plan.run(queue);
  }

  /** Disposes of all plans. */
  [Symbol.dispose](): void {
    for (const plan of this.#plans.values()) plan[Symbol.dispose]();
    this.#plans.clear();
    this.#latest = undefined;
    this.#latestDevice = -1;
  }

  #other(bindings: readonly Binding[], moves: number): Plan {
    const device = bindings.length === moves ? this.#deviceOf(bindings) : -1;
    const known = this.#plans.get(device);
    if (known === undefined) {
      const plan = this.#bind(bindings);
      this.#keep(device, plan);
      return plan;
    }
    bindings.forEach((binding, i) => known.rebind(i, binding));
    this.#keep(device, known);
    return known;
  }

  #keep(device: number, plan: Plan): void {
    this.#plans.set(device, plan);
    this.#latest = plan;
    this.#latestDevice = device;
  }

  #isOnLatest(bindings: readonly Binding[]): boolean {
    for (let i = 0; i < bindings.length; i++) {
      const { source, target } = bindings[i] as Binding;
      if (!isOn(source.memory, this.#latestDevice) || !isOn(target.memory, this.#latestDevice)) return false;
    }
    return this.#latest !== undefined;
  }
}

/** Whether a buffer names this device, or is host memory, which every device reaches. */
const isOn = (memory: Memory, device: number): boolean =>
  !isAddressSpace(memory) && (memory.kind !== "device" || (memory.device ?? 0) === device);
