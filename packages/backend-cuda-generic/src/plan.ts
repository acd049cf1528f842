import {
  checkBinding,
  DisposedError,
  DONE,
  type Binding,
  type Completion,
  type Conditions,
  type Move,
  type Plan,
  type Queue,
} from "@stowage/backend-api";
import type { Event } from "@stowage/cuda-driver";
import { checkPointers } from "./bind/check-pointers.js";
import { messagesOf, type Message } from "./bind/message.js";
import { withDeviceErrors } from "./device-errors.js";
import type { DeviceState } from "./devices.js";
import { GenericLaunch } from "./launch.js";
import type { Tuning } from "./options.js";
import type { EncodedMove, Payload } from "./payload.js";
import type { DeviceTables } from "./tables.js";

/** What a plan needs of its kernel. */
export interface PlanParts {
  readonly moves: readonly Move[];
  readonly conditions: Conditions;
  readonly payload: Payload;
  readonly device: DeviceState;
  readonly tuning: Tuning;
  readonly tables: () => DeviceTables;
}

/** The device's legacy default stream: it waits for, and holds up, all blocking streams. */
const DEFAULT_STREAM = { handle: 0 };

/** Moves bound to memory: one launch, whatever their number. The bindings have been checked but for the driver's part. */
export class GenericPlan implements Plan {
  readonly #parts: PlanParts;
  readonly #messages: (readonly Message[])[];
  readonly #tables: DeviceTables;
  readonly #launch: GenericLaunch;
  /** One event a queue: there, a later record being reached means that the earlier ones were. */
  readonly #events = new Map<number, Event>();
  #disposed = false;

  constructor(parts: PlanParts, bindings: readonly Binding[]) {
    this.#parts = parts;
    bindings.forEach((binding, i) => checkPointers(parts.device.context, i, binding));
    this.#messages = bindings.map((binding, i) => this.#message(i, binding));
    this.#tables = parts.tables();
    this.#launch = new GenericLaunch(parts, this.#tables.address);
    this.#launch.set(this.#moving());
    this.#tables.hold();
  }

  run(queue: Pick<Queue, "handle"> = DEFAULT_STREAM): Completion {
    if (this.#disposed) throw new DisposedError("plan to run");
    if (this.#launch.empty) return DONE;
    return withDeviceErrors(() => {
      this.#launch.run(queue);
      const event = this.#eventOf(queue.handle);
      event.record(queue);
      return {
        poll: () => withDeviceErrors(() => event.query()),
        wait: () => withDeviceErrors(() => event.synchronize()),
      };
    });
  }

  rebind(i: number, binding: Binding): void {
    if (this.#disposed) throw new DisposedError("plan to rebind");
    const { moves, conditions, device } = this.#parts;
    checkBinding(moves, i, binding, conditions);
    withDeviceErrors(() => {
      checkPointers(device.context, i, binding);
      this.#messages[i] = this.#message(i, binding);
      this.#launch.set(this.#moving());
    });
  }

  /** Waits for its runs: they read tables that are freed here. */
  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    withDeviceErrors(() => {
      for (const event of this.#events.values()) {
        event.synchronize();
        event[Symbol.dispose]();
      }
      this.#launch[Symbol.dispose]();
      this.#tables.release();
    });
  }

  #message(i: number, binding: Binding): readonly Message[] {
    const { moves, payload, tuning } = this.#parts;
    if (binding.length === 0) return [];
    return messagesOf(moves[i] as Move, payload.moves[i] as EncodedMove, binding, tuning, moves.length === 1);
  }

  #moving(): readonly Message[] {
    return this.#messages.flat();
  }

  #eventOf(handle: number): Event {
    const known = this.#events.get(handle);
    if (known !== undefined) return known;
    const event = this.#parts.device.context.event();
    this.#events.set(handle, event);
    return event;
  }
}
