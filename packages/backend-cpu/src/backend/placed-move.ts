import {
  countInMemory,
  elementPlaces,
  type Binding,
  type Buffer,
  type ElementPlaces,
  type Span,
  type TableReadings,
} from "@stowage/backend-api";
import { DameState } from "../machine/dame-state.js";
import { HostMemory } from "../machine/host-memory.js";
import type { LoadedDame } from "../machine/load-dame.js";
import { placedDame } from "../machine/placed-dame.js";
import { RunViews } from "../machine/run-views.js";
import { Side } from "../machine/side.js";
import { requireAllOf, requireBytes, type Bound } from "./bound-move.js";
import type { LoadedMove } from "./move-machine.js";
import { mechanismOf, type Mechanism } from "./mechanism.js";

/** A stretch of the packed stream whose elements all move. */
interface Stretch {
  readonly first: number;
  readonly length: number;
}

/**
 * A move whose elements lie where displacement tables say. The tables are read when it is made: what they hold later
 * changes nothing.
 */
export class PlacedMove implements Bound {
  readonly #source: PlacedSide;
  readonly #target: PlacedSide;
  readonly #binding: Binding;
  readonly #sizeBytes: number;
  readonly #stretches: readonly Stretch[];
  readonly #views = new RunViews();
  readonly #mover: Mechanism;

  /** The binding of move i has been checked. Throws a BindingError for a table or memory that has an address alone. */
  constructor(i: number, { move, source, target }: LoadedMove, binding: Binding, readings?: TableReadings) {
    const places = elementPlaces(i, move, binding, readings);
    this.#binding = binding;
    this.#sizeBytes = move.source.sizeBytes;
    this.#stretches = stretchesOf(binding, places, this.#sizeBytes);
    this.#source = new PlacedSide("source", source, places.source, places.firstElement, binding);
    this.#target = new PlacedSide("target", target, places.target, places.firstElement, binding);
    this.#mover = mechanismOf(move, this.#source.side, this.#target.side, this.#views);
  }

  /** Tables are read anew. */
  rebind(): boolean {
    return false;
  }

  requireAttached(): void {
    requireAllOf(this.#source.buffer);
    requireAllOf(this.#target.buffer);
    if (this.#binding.tables?.count !== undefined) requireAllOf(this.#binding.tables.count.memory as Buffer);
  }

  run(): void {
    const endByte = this.#elements() * this.#sizeBytes;
    this.#views.rewind();
    for (const { first, length } of this.#stretches) {
      const moved = Math.min(first + length, endByte) - first;
      if (moved <= 0) return;
      this.#source.seek(first);
      this.#target.seek(first);
      this.#mover.move(moved);
    }
  }

  /** The count in memory is read at each run. */
  #elements(): number {
    const { count, tables } = this.#binding;
    return tables?.count === undefined ? count : Math.min(count, countInMemory(tables.count));
  }
}

/** One side, whose elements a table has placed or whose extent does. */
class PlacedSide {
  readonly side: Side;
  readonly buffer: Buffer;
  readonly #count: number;
  /** The packed byte at which the side's first element stands. */
  readonly #startByte: number;
  readonly #originBytes: number;

  constructor(
    name: "source" | "target",
    loaded: LoadedDame,
    displacementsBytes: Float64Array | undefined,
    firstElement: number,
    binding: Binding,
  ) {
    const span: Span = binding[name];
    this.buffer = span.memory as Buffer;
    requireBytes(`memory of a ${name}`, this.buffer);
    const placed = displacementsBytes?.map((each) => (Number.isNaN(each) ? 0 : each));
    const program = placed === undefined ? loaded : placedDame(loaded, placed);
    this.side = new Side(new DameState(program), new HostMemory([{ startBytes: 0, buffer: this.buffer }], true));
    this.#count = placed?.length ?? binding.count;
    this.#startByte = placed === undefined ? 0 : firstElement * loaded.sizeBytes;
    this.#originBytes = span.originBytes;
  }

  seek(packedByte: number): void {
    this.side.state.seek(this.#count, packedByte - this.#startByte, this.#originBytes);
  }
}

/** The range without the elements that are skipped. */
function stretchesOf({ first, length }: Binding, places: ElementPlaces, sizeBytes: number): readonly Stretch[] {
  const { firstElement, elements } = places;
  const placed = places.source ?? places.target;
  const stretches: Stretch[] = [];
  for (let k = 0; k < elements;) {
    const begin = k;
    const isSkipped = Number.isNaN(placed?.[k]);
    while (k < elements && Number.isNaN(placed?.[k]) === isSkipped) k++;
    if (isSkipped) continue;
    const from = Math.max(first, (firstElement + begin) * sizeBytes);
    stretches.push({ first: from, length: Math.min(first + length, (firstElement + k) * sizeBytes) - from });
  }
  return stretches;
}
