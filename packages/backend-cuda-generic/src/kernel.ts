import {
  checkBindings,
  DisposedError,
  type Artifact,
  type Binding,
  type Completion,
  type Kernel,
  type Plan,
  type Queue,
  isTabled,
} from "@stowage/backend-api";
import type { Context } from "@stowage/cuda-driver";
import { CallPlans, CudaPlan, withDeviceErrors, type Devices, type Prepare, type Usage } from "@stowage/cuda-plans";
import type { DeviceState } from "./device-state.js";
import { explain } from "./explain.js";
import { GenericWork } from "./generic-work.js";
import type { Tuning } from "./options.js";
import type { Payload } from "./payload.js";
import { TabledPlan } from "./tabled/tabled-plan.js";
import { DeviceTables } from "./tables.js";

/** What a kernel has of its backend. */
export interface GenericParts {
  readonly devices: Devices;
  readonly tuning: Tuning;
  readonly stateOn: (context: Context) => DeviceState;
}

/** One artifact, loaded; its tables go to a device when the first plan there is bound. */
export class GenericKernel implements Kernel {
  readonly #artifact: Artifact;
  readonly #payload: Payload;
  readonly #parts: GenericParts;
  readonly #tables = new Map<Context, DeviceTables>();
  readonly #calls = new CallPlans(
    (bindings) => this.bind(bindings),
    (bindings) => this.#contextFor(bindings).device.ordinal,
  );
  #disposed = false;

  constructor(artifact: Artifact, payload: Payload, parts: GenericParts) {
    this.#artifact = artifact;
    this.#payload = payload;
    this.#parts = parts;
  }

  bind(bindings: readonly Binding[]): Plan {
    if (this.#disposed) throw new DisposedError("kernel");
    const { moves, conditions } = this.#artifact;
    checkBindings(moves, bindings, conditions);
    const context = this.#contextFor(bindings);
    if (moves.some(isTabled)) {
      const [device, tables] = [this.#parts.stateOn(context), this.#tablesOn(context)];
      const { tuning } = this.#parts;
      return new TabledPlan({ moves, conditions, payload: this.#payload, tuning, context, device, tables }, bindings);
    }
    const prepare: Prepare = (on, bound, usage) => this.#work(on, bound, usage);
    return new CudaPlan({ moves, conditions, context, prepare, asksPointers: true }, bindings);
  }

  /** What bind, run and disposing of the plan would do, by a plan that is kept. */
  call(bindings: readonly Binding[], queue?: Queue): Completion {
    if (this.#disposed) throw new DisposedError("kernel");
    return this.#calls.call(bindings, this.#artifact.moves.length, queue);
  }

  #contextFor(bindings: readonly Binding[]): Context {
    return withDeviceErrors(() => this.#parts.devices.contextFor(bindings));
  }

  explain(): string {
    return explain(this.#artifact.moves, this.#payload);
  }

  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#calls[Symbol.dispose]();
    withDeviceErrors(() => this.#tables.forEach((tables) => tables.release()));
  }

  #work(context: Context, bindings: readonly Binding[], usage: Usage): GenericWork {
    const { moves, conditions } = this.#artifact;
    const { tuning, stateOn } = this.#parts;
    const [device, tables] = [stateOn(context), this.#tablesOn(context)];
    return new GenericWork({ moves, conditions, payload: this.#payload, device, tuning, tables, usage }, bindings);
  }

  #tablesOn(context: Context): DeviceTables {
    const known = this.#tables.get(context);
    if (known !== undefined) return known;
    const tables = new DeviceTables(this.#parts.stateOn(context), this.#payload.lookaside);
    tables.hold();
    this.#tables.set(context, tables);
    return tables;
  }
}
