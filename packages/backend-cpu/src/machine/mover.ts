import { hostMemory } from "@stowage/backend-api";
import { DameState } from "./dame-state.js";
import { HostMemory } from "./host-memory.js";
import { PACKED } from "./packed-program.js";
import type { RunViews } from "./run-views.js";
import { Side } from "./side.js";
import { LONG_BYTES, transfer, transferStep } from "./transfer.js";

/** What goes through the stage at a time: it stays in the first-level cache. */
const STAGE_BYTES = 8192;
/** Less than this is not worth the way. */
const LEAST_BYTES = 512;

/**
 * Moves from side to side. Where both are made of short blocks that do not match, one inner loop could move but a
 * block or two: such bytes are packed into a small stage and unpacked from it, which takes two long loops.
 */
export class Mover {
  readonly #source: Side;
  readonly #target: Side;
  readonly #views: RunViews;
  #stage: { readonly into: Side; readonly outOf: Side } | undefined;

  constructor(source: Side, target: Side, views: RunViews) {
    this.#source = source;
    this.#target = target;
    this.#views = views;
  }

  /** From where the sides' states stand; both are left where it stops. */
  move(lengthBytes: number): void {
    let left = lengthBytes;
    while (left > 0) {
      if (left >= LEAST_BYTES && areUnlike(this.#source, this.#target))
        left -= this.#moveStaged(Math.min(left, STAGE_BYTES));
      else left -= transferStep(this.#source, this.#target, left, this.#views);
    }
  }

  #moveStaged(lengthBytes: number): number {
    const { into, outOf } = (this.#stage ??= stage());
    into.state.seek(lengthBytes, 0, 0);
    transfer(this.#source, into, lengthBytes, this.#views);
    outOf.state.seek(lengthBytes, 0, 0);
    transfer(outOf, this.#target, lengthBytes, this.#views);
    return lengthBytes;
  }
}

function stage(): { into: Side; outOf: Side } {
  const buffer = hostMemory(new Uint8Array(STAGE_BYTES));
  const memory = new HostMemory([{ startBytes: 0, buffer }], true);
  return { into: new Side(new DameState(PACKED), memory), outOf: new Side(new DameState(PACKED), memory) };
}

/** Whether both sides go on in short blocks of which no inner loop can move many: unequal ones, or two tables'. */
function areUnlike(source: Side, target: Side): boolean {
  if (source.restBytes >= LONG_BYTES || target.restBytes >= LONG_BYTES) return false;
  const alike = source.state.blockBytes === target.state.blockBytes && source.wholeBlocks > 1 && target.wholeBlocks > 1;
  return !alike || (source.isIrregular && target.isIrregular);
}
