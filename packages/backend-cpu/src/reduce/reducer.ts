import type { Reduction } from "@stowage/backend-api";
import { placeRuns } from "../machine/transfer.js";
import type { Side } from "../machine/side.js";
import type { CombineRun } from "./element-loops.js";
import { combineRun } from "./combine-run.js";

/** Combines what the source's program reads with what is at the target's, run by run in packed order. */
export class Reducer {
  readonly #source: Side;
  readonly #target: Side;
  readonly #combine: CombineRun;

  constructor(source: Side, target: Side, reduction: Reduction) {
    this.#source = source;
    this.#target = target;
    this.#combine = combineRun(reduction);
  }

  /** From where the sides' states stand; both are left where it stops. */
  move(lengthBytes: number): void {
    for (let left = lengthBytes; left > 0;) left -= this.#combineRun(left);
  }

  #combineRun(limitBytes: number): number {
    const [source, target] = [this.#source, this.#target];
    const lengthBytes = Math.min(limitBytes, source.restBytes, target.restBytes);
    placeRuns(source, target, lengthBytes);
    const [from, to] = [source.cursor, target.cursor];
    this.#combine(to.region.view, to.at, from.region.view, from.at, lengthBytes);
    source.state.takeBytes(lengthBytes);
    target.state.takeBytes(lengthBytes);
    return lengthBytes;
  }
}
