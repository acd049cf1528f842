import { HostBuffer, QuickCheck, type Binding, type Conditions } from "@stowage/backend-api";
import { EMPTY_REGION, HostMemory } from "../machine/host-memory.js";
import { MoveMachine, type LoadedMove } from "./move-machine.js";

/** A move on other memory each time, with all that running it needs made once. Nothing of a binding is kept. */
export class MoveCall {
  readonly #check: QuickCheck;
  readonly #machine: MoveMachine;

  constructor(loaded: LoadedMove, conditions: Conditions) {
    this.#check = new QuickCheck(loaded.move, conditions);
    this.#machine = new MoveMachine(loaded, new HostMemory([]), new HostMemory([]));
  }

  /** False: nothing was moved, and the binding is for bind to judge. */
  run(binding: Binding): boolean {
    if (!this.#check.passes(binding)) return false;
    const { source, target, count, first, length } = binding;
    if (!HostBuffer.is(source.memory) || !HostBuffer.is(target.memory)) return false;
    const machine = this.#machine;
    machine.hold(source.memory, target.memory);
    machine.seek(count, first, source.originBytes, target.originBytes);
    try {
      machine.mover.move(length);
    } finally {
      machine.source.hold(EMPTY_REGION);
      machine.target.hold(EMPTY_REGION);
      machine.views.clear();
    }
    return true;
  }
}
