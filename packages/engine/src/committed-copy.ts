import { checkApart, type Completion, type Kernel, type Move, type Plan, type Queue } from "@stowage/backend-api";
import type { Choice } from "./choose.js";
import type { Extent, Way } from "./committed.js";
import type { InFlight } from "./in-flight.js";
import { spanOf, type Place } from "./place.js";

/** Two datatypes of one signature, and what copies elements of the first to elements of the second. Lives as long as its engine. */
export class CommittedCopy {
  readonly move: Move;
  /** The backend that was chosen, and why the others were not. */
  readonly choice: Choice;
  readonly #kernel: Kernel;
  readonly #inFlight: InFlight;

  constructor(move: Move, { choice, kernel }: Way, inFlight: InFlight) {
    this.move = move;
    this.choice = choice;
    this.#kernel = kernel;
    this.#inFlight = inFlight;
  }

  /**
   * Moves the bytes of `from`, laid out as the first datatype, to their places in `to` as the second has them. Bytes
   * outside the second's type map stay as they are. On the host it is done on return; on a device, once the completion
   * says so. Throws a BindingError where memory, count or range do not fit, or a byte is both read and written.
   */
  copy(from: Place, to: Place, extent: Extent = {}, queue?: Queue): Completion {
    return this.#inFlight.run(this.plan(from, to, extent), queue);
  }

  /** A copy that is checked once and run many times. The caller disposes of it. */
  plan(from: Place, to: Place, { count = 1, first = 0, length }: Extent = {}): Plan {
    const binding = {
      source: spanOf(from),
      target: spanOf(to),
      count,
      first,
      length: length ?? count * this.move.source.sizeBytes - first,
    };
    const plan = this.#kernel.bind([binding]);
    try {
      // Backends look at copies between scattered sides; where one side is packed, the bytes must be apart as well.
      checkApart(0, this.move, binding);
    } catch (error) {
      plan[Symbol.dispose]();
      throw error;
    }
    return plan;
  }

  /** How the chosen backend moves the bytes: its program, listing or grid. */
  explain(): string {
    return this.#kernel.explain();
  }
}
