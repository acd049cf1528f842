import { BindingError, isAddressSpace, placeOf, type Binding, type Move, type Region, type Span } from "@stowage/backend-api";
import type { Layout } from "@stowage/ir";
import { DameState } from "../machine/dame-state.js";
import { HostMemory } from "../machine/host-memory.js";
import type { LoadedDame } from "../machine/load-dame.js";
import { RunViews } from "../machine/run-views.js";
import { Side } from "../machine/side.js";
import { transfer } from "../machine/transfer.js";

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

  /** The binding has been checked; throws a BindingError where memory has an address but no bytes. */
  constructor({ move, source, target }: LoadedMove, binding: Binding) {
    const sourceRegions = regionsOf("source", move.source, binding.source, binding);
    const targetRegions = regionsOf("target", move.target, binding.target, binding);
    this.#binding = Object.freeze({ ...binding });
    this.#source = new Side(new DameState(source), new HostMemory(sourceRegions));
    this.#target = new Side(new DameState(target), new HostMemory(targetRegions));
    this.#regions = [...sourceRegions, ...targetRegions];
  }

  /** Throws a BindingError where a buffer has been detached or has shrunk since it was bound. */
  requireAttached(): void {
    for (let i = 0; i < this.#regions.length; i++) {
      const { buffer } = this.#regions[i] as Region;
      const byteLength = buffer.bytes?.byteLength ?? 0;
      if (byteLength >= buffer.sizeBytes) continue;
      throw new BindingError("bound memory", `a view of ${buffer.sizeBytes} bytes`, `${byteLength}: detached, or shrunk since`);
    }
  }

  run(): void {
    const { count, first, length, source, target } = this.#binding;
    this.#source.state.seek(count, first, source.originBytes);
    this.#target.state.seek(count, first, target.originBytes);
    this.#views.rewind();
    transfer(this.#source, this.#target, length, this.#views);
  }
}

/** The regions that the range may reach: most often one, else all of the space that are there. */
function regionsOf(side: string, layout: Layout, span: Span, range: Binding): readonly Region[] {
  if (range.length === 0) return [];
  const { memory, originBytes } = span;
  const place = placeOf(layout, span, range);
  const regions = place
    ? [{ startBytes: originBytes - place.originBytes, buffer: place.buffer }]
    : isAddressSpace(memory)
      ? memory.regions
      : [];
  for (const { buffer } of regions) {
    if (buffer.bytes === undefined) throw new BindingError(`memory of a ${side}`, "a view of its bytes", "an address alone");
  }
  return regions.filter(({ buffer: { bytes, sizeBytes } }) => bytes !== undefined && bytes.byteLength >= sizeBytes);
}
