import { DisposedError, type Artifact, type Binding, type Kernel, type Plan } from "@stowage/backend-api";
import { checkBindings } from "@stowage/backend-api";
import { deviceOf } from "./bind/device-of.js";
import { withDeviceErrors } from "./device-errors.js";
import type { Devices } from "./devices.js";
import { explain } from "./explain.js";
import type { Tuning } from "./options.js";
import type { Payload } from "./payload.js";
import { GenericPlan } from "./plan.js";
import { DeviceTables } from "./tables.js";

/** One artifact, loaded; its tables go to a device when the first plan there is bound. */
export class GenericKernel implements Kernel {
  readonly #artifact: Artifact;
  readonly #payload: Payload;
  readonly #devices: Devices;
  readonly #tuning: Tuning;
  readonly #tables = new Map<number, DeviceTables>();
  #disposed = false;

  constructor(artifact: Artifact, payload: Payload, devices: Devices, tuning: Tuning) {
    this.#artifact = artifact;
    this.#payload = payload;
    this.#devices = devices;
    this.#tuning = tuning;
  }

  bind(bindings: readonly Binding[]): Plan {
    if (this.#disposed) throw new DisposedError("kernel to bind");
    const { moves, conditions } = this.#artifact;
    checkBindings(moves, bindings, conditions);
    return withDeviceErrors(() => {
      const ordinal = deviceOf(bindings);
      const device = this.#devices.at(ordinal);
      const parts = { moves, conditions, payload: this.#payload, device, tuning: this.#tuning };
      return new GenericPlan({ ...parts, tables: () => this.#tablesOn(ordinal) }, bindings);
    });
  }

  explain(): string {
    return explain(this.#artifact.moves, this.#payload);
  }

  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    withDeviceErrors(() => this.#tables.forEach((tables) => tables.release()));
  }

  #tablesOn(ordinal: number): DeviceTables {
    const known = this.#tables.get(ordinal);
    if (known !== undefined) return known;
    const tables = new DeviceTables(this.#devices.at(ordinal), this.#payload.lookaside);
    tables.hold();
    this.#tables.set(ordinal, tables);
    return tables;
  }
}
