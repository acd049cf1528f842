import { HostBuffer, QuickCheck, type Binding, type Conditions } from "@stowage/backend-api";
import { DameState } from "../machine/dame-state.js";
import { EMPTY_REGION, HostMemory, regionOf } from "../machine/host-memory.js";
import { RunViews } from "../machine/run-views.js";
import { Side } from "../machine/side.js";
import { mechanismOf, type Mechanism } from "./mechanism.js";
import type { LoadedMove } from "./bound-move.js";

/** A move on other memory each time, with all that running it needs made once. Nothing of a binding is kept. */
export class MoveCall {
  readonly #check: QuickCheck;
  readonly #source: Side;
  readonly #target: Side;
  readonly #views = new RunViews();
  readonly #mover: Mechanism;

  constructor({ move, source, target }: LoadedMove, conditions: Conditions) {
    this.#check = new QuickCheck(move, conditions);
    this.#source = new Side(new DameState(source), new HostMemory([]));
    this.#target = new Side(new DameState(target), new HostMemory([]));
    this.#mover = mechanismOf(move, this.#source, this.#target, this.#views);
  }

  /** False: nothing was moved, and the binding is for bind to judge. */
  run(binding: Binding): boolean {
    if (!this.#check.passes(binding)) return false;
    const { source, target, count, first, length } = binding;
    if (!HostBuffer.is(source.memory) || !HostBuffer.is(target.memory)) return false;
    this.#source.hold(regionOf(source.memory));
    this.#target.hold(regionOf(target.memory));
    this.#source.state.seek(count, first, source.originBytes);
    this.#target.state.seek(count, first, target.originBytes);
    try {
      this.#mover.move(length);
    } finally {
      this.#source.hold(EMPTY_REGION);
      this.#target.hold(EMPTY_REGION);
      this.#views.clear();
    }
    return true;
  }
}
