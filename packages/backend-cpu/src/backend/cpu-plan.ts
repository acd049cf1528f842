import {
  checkBinding,
  DisposedError,
  DONE,
  QuickCheck,
  TableReadings,
  type Binding,
  type Completion,
  type Conditions,
  type Move,
  type Plan,
} from "@stowage/backend-api";
import { BoundMove, type Bound } from "./bound-move.js";
import type { LoadedMove } from "./move-machine.js";
import { PlacedMove } from "./placed-move.js";

/** Moves on their memory, run one after another. */
export class CpuPlan implements Plan {
  readonly #moves: readonly Move[];
  readonly #conditions: Conditions;
  readonly #loaded: readonly LoadedMove[];
  readonly #bound: Bound[];
  readonly #checks: readonly QuickCheck[];
  #disposed = false;

  constructor(
    moves: readonly Move[],
    conditions: Conditions,
    loaded: readonly LoadedMove[],
    bindings: readonly Binding[],
  ) {
    this.#moves = moves;
    this.#conditions = conditions;
    this.#loaded = loaded;
    this.#checks = moves.map((move) => new QuickCheck(move, conditions));
    const readings = new TableReadings();
    this.#bound = loaded.map((move, i) => bound(i, move, bindings[i] as Binding, readings));
  }

  run(): Completion {
    if (this.#disposed) throw new DisposedError("plan of backend cpu");
    // All are checked before the first moves: on an error not one byte is written.
    for (let i = 0; i < this.#bound.length; i++) (this.#bound[i] as Bound).requireAttached();
    for (let i = 0; i < this.#bound.length; i++) (this.#bound[i] as Bound).run();
    return DONE;
  }

  rebind(i: number, binding: Binding): void {
    if (this.#disposed) throw new DisposedError("plan of backend cpu");
    if (this.#checks[i]?.passes(binding) === true && this.#bound[i]?.rebind(binding) === true) return;
    checkBinding(this.#moves, i, binding, this.#conditions);
    this.#bound[i] = bound(i, this.#loaded[i] as LoadedMove, binding);
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
  }
}

const bound = (i: number, loaded: LoadedMove, binding: Binding, readings?: TableReadings): Bound =>
  loaded.move.tables === undefined ? new BoundMove(loaded, binding) : new PlacedMove(i, loaded, binding, readings);
