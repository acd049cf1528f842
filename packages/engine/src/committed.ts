import type { Binding, Completion, Direction, Kernel, Plan, Queue } from "@stowage/backend-api";
import type { Layout } from "@stowage/ir";
import type { Choice } from "./choose.js";
import type { InFlight } from "./in-flight.js";
import { spanOf, type Place } from "./place.js";

/** How much of the packed stream to move. Default: all of one element. */
export interface Extent {
  /** Elements of the datatype. Default: 1. */
  readonly count?: number;
  /** First byte of the packed stream. Default: 0. */
  readonly first?: number;
  /** Bytes of the packed stream. Default: to the end. */
  readonly length?: number;
}

/** One direction of a committed datatype: the backend that was chosen, and what it compiled. */
export interface Way {
  readonly choice: Choice;
  readonly kernel: Kernel;
}

/** A datatype that an engine has chosen backends for and compiled. Lives as long as its engine. */
export class Committed {
  readonly layout: Layout;
  readonly #ways: Readonly<Record<"pack" | "unpack", Way>>;
  readonly #inFlight: InFlight;

  constructor(layout: Layout, ways: Readonly<Record<"pack" | "unpack", Way>>, inFlight: InFlight) {
    this.layout = layout;
    this.#ways = ways;
    this.#inFlight = inFlight;
  }

  /**
   * Gathers scattered bytes of `source` into the packed stream at `target`. On the host it is done on return; on a
   * device, once the completion says so. Throws a BindingError where memory, count or range do not fit.
   */
  pack(source: Place, target: Place, extent: Extent = {}, queue?: Queue): Completion {
    return this.#once("pack", source, target, extent, queue);
  }

  /** Scatters the packed stream at `source` into `target`. Bytes outside the type map stay as they are. */
  unpack(source: Place, target: Place, extent: Extent = {}, queue?: Queue): Completion {
    return this.#once("unpack", source, target, extent, queue);
  }

  /** A pack or unpack that is checked once and run many times. The caller disposes of it. */
  plan(direction: Exclude<Direction, "copy">, source: Place, target: Place, extent: Extent = {}): Plan {
    return this.#ways[direction].kernel.bind([this.#binding(source, target, extent)]);
  }

  /** The backend chosen for a direction, and why the others were not. */
  choice(direction: Exclude<Direction, "copy">): Choice {
    return this.#ways[direction].choice;
  }

  /** How the chosen backend moves the bytes: its program, listing or grid. */
  explain(direction: Exclude<Direction, "copy">): string {
    return this.#ways[direction].kernel.explain();
  }

  #once(
    direction: Exclude<Direction, "copy">,
    source: Place,
    target: Place,
    extent: Extent,
    queue: Queue | undefined,
  ): Completion {
    return this.#inFlight.run(this.plan(direction, source, target, extent), queue);
  }

  #binding(source: Place, target: Place, { count = 1, first = 0, length }: Extent): Binding {
    return {
      source: spanOf(source),
      target: spanOf(target),
      count,
      first,
      length: length ?? count * this.layout.sizeBytes - first,
    };
  }
}
