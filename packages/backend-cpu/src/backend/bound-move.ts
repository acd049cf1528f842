import {
  BindingError,
  isAddressSpace,
  bufferOriginOf,
  type Binding,
  type Move,
  type Region,
  type Span,
} from "@stowage/backend-api";
import type { Layout } from "@stowage/ir";
import { DameState } from "../machine/dame-state.js";
import { HostMemory } from "../machine/host-memory.js";
import type { LoadedDame } from "../machine/load-dame.js";
import { Mover } from "../machine/mover.js";
import { RunViews } from "../machine/run-views.js";
import { Side } from "../machine/side.js";

/** A move and its two programs, ready to run. */
export interface LoadedMove {
  readonly move: Move;
  readonly source: LoadedDame;
  readonly target: LoadedDame;
}

/** A move on its memory, with all that running it needs made beforehand: from its second run on it allocates nothing. */
export class BoundMove {
  readonly #binding: Binding;
  readonly #source: Side;
  readonly #target: Side;
  readonly #regions: readonly Region[];
  readonly #views = new RunViews();
  readonly #mover: Mover;

  /** The binding has been checked; throws a BindingError where memory has an address but no bytes. */
  constructor({ move, source, target }: LoadedMove, binding: Binding) {
    const from = reachedBy("source", move.source, binding.source, binding);
    const to = reachedBy("target", move.target, binding.target, binding);
    this.#binding = Object.freeze({ ...binding });
    this.#source = new Side(new DameState(source), new HostMemory(from.regions, from.holdsAll));
    this.#target = new Side(new DameState(target), new HostMemory(to.regions, to.holdsAll));
    this.#mover = new Mover(this.#source, this.#target, this.#views);
    this.#regions = [...from.regions, ...to.regions];
  }

  /** Throws a BindingError where a buffer has been detached or has shrunk since it was bound. */
  requireAttached(): void {
    for (let i = 0; i < this.#regions.length; i++) {
      const region = this.#regions[i] as Region;
      if (isAttached(region)) continue;
      const { bytes, sizeBytes } = region.buffer;
      const got = `${bytes?.byteLength ?? 0}: detached, or shrunk since`;
      throw new BindingError("bound memory", `a view of ${sizeBytes} bytes`, got);
    }
  }

  run(): void {
    const { count, first, length, source, target } = this.#binding;
    this.#source.state.seek(count, first, source.originBytes);
    this.#target.state.seek(count, first, target.originBytes);
    this.#views.rewind();
    this.#mover.move(length);
  }
}

/** The regions that the range may reach: most often one that holds all of it, else those of the space that are there. */
function reachedBy(
  side: string,
  layout: Layout,
  span: Span,
  range: Binding,
): { regions: readonly Region[]; holdsAll: boolean } {
  if (range.length === 0) return { regions: [], holdsAll: false };
  const held = bufferOriginOf(layout, span, range);
  const all = isAddressSpace(span.memory) ? span.memory.regions : [];
  const regions = held ? [{ startBytes: span.originBytes - held.originBytes, buffer: held.buffer }] : all;
  if (regions.some(({ buffer }) => buffer.bytes === undefined)) {
    throw new BindingError(`memory of a ${side}`, "a view of its bytes", "an address alone");
  }
  return { regions: regions.filter(isAttached), holdsAll: held !== undefined };
}

const isAttached = ({ buffer: { bytes, sizeBytes } }: Region): boolean => (bytes?.byteLength ?? 0) >= sizeBytes;
