import {
  checkBinding,
  DisposedError,
  DONE,
  type Binding,
  type Completion,
  type Conditions,
  type Plan,
  type Queue,
} from "@stowage/backend-api";
import type { Devices, Launch } from "@stowage/cuda-driver";
import { EventCompletion } from "./completion.js";
import { onDevice } from "./device-error.js";
import { launchesFor } from "./launches.js";
import { deviceOf, transfersOf, type StridedMove } from "./transfer.js";

/** Bound moves: launches ready to send. */
export class StridedPlan implements Plan {
  readonly #devices: Devices;
  readonly #moves: readonly StridedMove[];
  readonly #conditions: Conditions;
  readonly #bindings: Binding[];
  readonly #specialise: boolean;
  readonly #device: number;
  readonly #completion: EventCompletion;
  #launches: readonly Launch[];
  #disposed = false;

  /** The bindings have been checked. */
  constructor(
    devices: Devices,
    moves: readonly StridedMove[],
    conditions: Conditions,
    bindings: readonly Binding[],
    specialise: boolean,
  ) {
    this.#devices = devices;
    this.#specialise = specialise;
    this.#moves = moves;
    this.#conditions = conditions;
    this.#bindings = [...bindings];
    this.#device = bindings.map(deviceOf).find((device) => device > 0) ?? 0;
    this.#launches = this.#prepare(this.#bindings);
    this.#completion = onDevice(() => new EventCompletion(devices.context(this.#device)));
  }

  run(queue?: Queue): Completion {
    if (this.#disposed) throw new DisposedError("plan");
    if (this.#launches.length === 0) return DONE;
    return onDevice(() => {
      const stream = queue ?? this.#devices.stream(this.#device);
      for (const launch of this.#launches) launch.run(stream);
      return this.#completion.follow(stream);
    });
  }

  rebind(i: number, binding: Binding): void {
    if (this.#disposed) throw new DisposedError("plan");
    checkBinding(
      this.#moves.map(({ move }) => move),
      i,
      binding,
      this.#conditions,
    );
    const bindings = this.#bindings.with(i, binding);
    this.#launches = this.#prepare(bindings);
    this.#bindings[i] = binding;
  }

  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#completion[Symbol.dispose]();
  }

  #prepare(bindings: readonly Binding[]): readonly Launch[] {
    const transfers = bindings.flatMap((binding, i) => {
      const move = this.#moves[i] as StridedMove;
      return transfersOf(move, i, binding).map((transfer) => ({ transfer, direction: move.direction }));
    });
    if (transfers.length === 0) return [];
    return onDevice(() =>
      launchesFor(this.#devices.context(this.#device), transfers, this.#conditions.smBudget, this.#specialise),
    );
  }
}
