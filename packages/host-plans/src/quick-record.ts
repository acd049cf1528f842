import { QuickCheck, type Binding, type Conditions, type Move } from "@stowage/backend-api";
import { quickAddress } from "./host-address.js";
import type { MoveCode } from "./move-code.js";

/** Writes the launch records of the most common bindings of a move, without a walk, an allocation or a look-up. */
export class QuickRecord {
  readonly check: QuickCheck;
  readonly #code: MoveCode;
  readonly #sourceAlignment: number;
  readonly #targetAlignment: number;

  constructor(move: Move, conditions: Conditions, code: MoveCode) {
    this.check = new QuickCheck(move, conditions);
    this.#code = code;
    this.#sourceAlignment = conditions.sourceAlignment;
    this.#targetAlignment = conditions.targetAlignment;
  }

  /**
   * True: the binding is right, and its record is written from `numbers[at]` on. False says nothing: checkBinding and
   * launchesOf are to decide.
   */
  writes(numbers: Float64Array, at: number, binding: Binding): boolean {
    if (!this.check.fits(binding)) return false;
    const { source, target, count, first, length } = binding;
    const from = quickAddress(source.memory) + source.originBytes;
    const to = quickAddress(target.memory) + target.originBytes;
    if (!this.check.areApart(from, to) || !this.#areAligned(from, to)) return false;
    numbers[at] = this.#code.addressFor(count, length);
    numbers[at + 1] = from;
    numbers[at + 2] = to;
    numbers[at + 3] = count;
    numbers[at + 4] = first;
    numbers[at + 5] = length;
    return true;
  }

  #areAligned(from: number, to: number): boolean {
    return (
      (this.#sourceAlignment === 1 || from % this.#sourceAlignment === 0) &&
      (this.#targetAlignment === 1 || to % this.#targetAlignment === 0)
    );
  }
}
