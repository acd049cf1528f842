import {
  conditions,
  copyMove,
  packMove,
  tabledMove,
  unpackMove,
  type Binding,
  type Buffer,
  type Conditions,
  type ElementTable,
  type Move,
  type Span,
  type TableIndex,
} from "@stowage/backend-api";
import { dense, layout } from "@stowage/ir";
import * as fc from "fast-check";
import type { TestMemory } from "../memory/test-memory.js";
import { HOST_MEMORY } from "../memory/test-memory.js";
import type { ByteMap, Range } from "../reference/byte-map.js";
import type { LawSettings, MoveDirection } from "../settings.js";
import type { Resources } from "./resources.js";
import { sideFor, type Side } from "./side.js";
import { denseSubject, type Subject } from "./subject.js";
import { Transfer } from "./transfer.js";
import { anyTrial, type Trial } from "./trial.js";

/** How the elements of one side are placed by a table. */
export interface Tabling {
  readonly index: TableIndex;
  /** Whether entries count bytes, or slots that each hold an element. */
  readonly unit: "bytes" | "slots";
  readonly isReversed: boolean;
  /** Bytes between an element and the next slot. */
  readonly gapBytes: number;
  /** By their order elements are put into slots. */
  readonly ranks: readonly number[];
  /** Elements that this side's table skips, where the move's tables skip any. */
  readonly skipped: readonly boolean[];
}

/** A move of elements that tables place. */
export interface Tabled {
  readonly direction: MoveDirection;
  readonly elements: number;
  readonly source: Tabling;
  readonly target: Tabling;
  /** Whether a pack or unpack places the packed elements by a table too. */
  readonly placesPacked: boolean;
  readonly skips: boolean;
  /** Whether tables lie in the memory of the scattered side, or of the host. */
  readonly isScattered: boolean;
  /** Whether the number of elements that move lies in memory, and how many fewer it is. */
  readonly fewer: number | undefined;
  readonly cut: number;
  readonly mode: "bind" | "rebind" | "call";
  readonly trial: Trial;
}

const MOST_ELEMENTS = 12;

const anyTabling: fc.Arbitrary<Tabling> = fc.record({
  index: fc.constantFrom<TableIndex>("u32", "i64"),
  unit: fc.constantFrom("bytes", "slots"),
  isReversed: fc.boolean(),
  gapBytes: fc.constantFrom(0, 0, 1, 3, 8, 64, 200),
  ranks: fc.array(fc.nat({ max: 99 }), { minLength: MOST_ELEMENTS, maxLength: MOST_ELEMENTS }),
  skipped: fc.array(
    fc.nat({ max: 5 }).map((luck) => luck === 5),
    { minLength: MOST_ELEMENTS, maxLength: MOST_ELEMENTS },
  ),
});

export const anyTabled = (settings: LawSettings): fc.Arbitrary<Tabled> =>
  fc.record({
    direction: fc.constantFrom(...settings.directions),
    elements: fc.nat({ max: MOST_ELEMENTS }),
    source: anyTabling,
    target: anyTabling,
    placesPacked: fc.boolean(),
    skips: fc.boolean(),
    isScattered: fc.boolean(),
    fewer: fc.option(fc.integer({ min: -2, max: 3 }), { nil: undefined, freq: 3 }),
    cut: fc.nat({ max: 10_000 }),
    mode: fc.constantFrom("bind", "rebind", "call"),
    trial: anyTrial(settings, { disjoint: true, sparse: false }),
  });

/** A side as its table places its elements: one element after another of an MPI_Type_create_hindexed_block. */
interface PlacedSide {
  readonly side: Side;
  readonly table: ElementTable | undefined;
  readonly entries: readonly bigint[];
}

/** What moves: memory, tables, and the reference's answer. */
export class TabledTransfer {
  readonly move: Move;
  readonly transfer: Transfer;
  readonly sizeBytes: number;
  readonly #case: Tabled;
  readonly #source: PlacedSide;
  readonly #target: PlacedSide;
  readonly #tables: { readonly source?: Span; readonly target?: Span; readonly count?: Span };

  constructor(settings: LawSettings, resources: Resources, tabled: Tabled) {
    const { direction, trial, placesPacked } = tabled;
    this.#case = tabled;
    this.sizeBytes = trial.subject.map.sizeBytes;
    this.#source = placed(settings, resources, tabled, "source", direction !== "unpack", placesPacked);
    this.#target = placed(settings, resources, tabled, "target", direction !== "pack", placesPacked);
    this.move = tabledMove(moveOf(trial.subject, direction), {
      ...(this.#source.table === undefined ? {} : { source: this.#source.table }),
      ...(this.#target.table === undefined ? {} : { target: this.#target.table }),
      ...(tabled.skips ? { skips: true } : {}),
    });
    this.transfer = new Transfer(this.#source.side, this.#target.side, trial.pattern);
    this.#tables = {
      ...tableSpan(settings, resources, "source", this.#source, tabled),
      ...tableSpan(settings, resources, "target", this.#target, tabled),
      ...countSpan(settings, resources, tabled),
    };
  }

  conditions(settings: LawSettings): Conditions {
    const { direction } = this.#case;
    return conditions({
      ...settings.conditions,
      tableKind: tableMemory(settings, this.#case).kind,
      sourceKind: (direction === "unpack" ? settings.packed : settings.scattered).kind,
      targetKind: (direction === "pack" ? settings.packed : settings.scattered).kind,
    });
  }

  binding(range: Range, tables: Binding["tables"] = this.#tables): Binding {
    const { source, target } = this.transfer;
    return { source: source.arena.span, target: target.arena.span, ...range, tables: { ...tables } };
  }

  /** Notes what of a range moves: the elements that neither table skips, and no more than the count in memory says. */
  expect({ first, length }: Range): void {
    const { elements, skips, fewer } = this.#case;
    const moved = fewer === undefined ? elements : Math.min(elements, Math.max(0, elements - fewer));
    for (let k = 0; k < moved; k++) {
      if (skips && (this.#source.entries[k] === SKIPPED || this.#target.entries[k] === SKIPPED)) continue;
      const from = Math.max(first, k * this.sizeBytes);
      const to = Math.min(first + length, (k + 1) * this.sizeBytes);
      if (from < to) this.transfer.expect({ count: 1, first: from, length: to - from });
    }
  }

  problem(): string | undefined {
    return this.transfer.problem();
  }
}

const SKIPPED = -1n;

const moveOf = ({ layout: element }: Subject, direction: MoveDirection): Move =>
  direction === "pack" ? packMove(element) : direction === "unpack" ? unpackMove(element) : copyMove(element, element);

function placed(
  settings: LawSettings,
  resources: Resources,
  { trial, elements, skips, ...tablings }: Tabled,
  name: "source" | "target",
  isScattered: boolean,
  placesPacked: boolean,
): PlacedSide {
  const { sizeBytes } = trial.subject.map;
  const element = isScattered ? trial.subject : denseSubject(sizeBytes);
  const [memory, placing] = isScattered
    ? [settings.scattered, trial.scattered]
    : [settings.packed, { ...trial.packed, asSpace: false }];
  const whole = { count: 1, first: 0, length: elements * sizeBytes };
  const sideOf = (displacements: readonly number[]): Side => {
    const side = sideFor(memory, placedSubject(element, displacements), whole, {
      ...placing,
      asSpace: false,
      alignment: 1,
    });
    resources.hold(side.arena);
    return side;
  };
  if (!isScattered && !placesPacked)
    return { side: sideOf(Array.from({ length: elements }, (_, k) => k * sizeBytes)), table: undefined, entries: [] };
  const tabling = tablings[name];
  const { slotBytes, slots } = slotsOf(tabling, element, elements);
  const strideBytes = (tabling.unit === "bytes" ? 1 : slotBytes) * (tabling.isReversed ? -1 : 1);
  const displacements = slots.map((slot) => slot * slotBytes * (tabling.isReversed ? -1 : 1));
  const entries = displacements.map((each, k) =>
    skips && tabling.skipped[k] === true ? SKIPPED : BigInt(each / strideBytes),
  );
  return { side: sideOf(displacements), table: { index: tabling.index, strideBytes }, entries };
}

/** Slots that hold an element each, apart from one another. */
function slotsOf({ gapBytes, ranks }: Tabling, { map }: Subject, elements: number) {
  const reachBytes = map.entries.reduce(
    (most, { offsetBytes, lengthBytes }) => Math.max(most, offsetBytes + lengthBytes),
    0,
  );
  const lowBytes = map.entries.reduce((least, { offsetBytes }) => Math.min(least, offsetBytes), 0);
  const order = Array.from({ length: elements }, (_, k) => k).sort(
    (a, b) => (ranks[a] as number) - (ranks[b] as number) || a - b,
  );
  const slots = new Array<number>(elements);
  order.forEach((k, slot) => (slots[k] = slot));
  return { slotBytes: Math.max(1, reachBytes - lowBytes) + gapBytes, slots };
}

function placedSubject({ map, [fc.toStringMethod]: print }: Subject, displacements: readonly number[]): Subject {
  const entries = displacements.flatMap((displacement) =>
    map.entries.map(({ offsetBytes, lengthBytes }) => ({ offsetBytes: displacement + offsetBytes, lengthBytes })),
  );
  const placedMap: ByteMap = { entries, sizeBytes: displacements.length * map.sizeBytes, extentBytes: 0 };
  // Its extent alone matters: a side that is not dense has memory for whole elements.
  const apart = layout(0, dense(1), { lowerBoundBytes: 0, extentBytes: 2 });
  return { layout: apart, map: placedMap, [fc.toStringMethod]: print };
}

const ENTRY_BYTES = { u32: 4, i64: 8 } as const;

function tableSpan(
  settings: LawSettings,
  resources: Resources,
  name: "source" | "target",
  { table, entries }: PlacedSide,
  tabled: Tabled,
): { readonly [side: string]: Span } {
  if (table === undefined) return {};
  const bytes = new Uint8Array(entries.length * ENTRY_BYTES[table.index]);
  const view = new DataView(bytes.buffer);
  entries.forEach((entry, k) => {
    if (table.index === "u32") view.setUint32(4 * k, Number(BigInt.asUintN(32, entry)), true);
    else view.setBigInt64(8 * k, entry, true);
  });
  return { [name]: spanOf(resources, tableMemory(settings, tabled), bytes) };
}

function countSpan(settings: LawSettings, resources: Resources, tabled: Tabled) {
  const { elements, fewer } = tabled;
  if (fewer === undefined) return {};
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, Math.max(0, elements - fewer), true);
  return { count: spanOf(resources, tableMemory(settings, tabled), bytes) };
}

const tableMemory = ({ scattered }: LawSettings, { isScattered }: Tabled): TestMemory =>
  isScattered ? scattered : HOST_MEMORY;

/** Behind some bytes of another's, so that an origin that is forgotten shows. */
function spanOf(resources: Resources, memory: TestMemory, bytes: Uint8Array): Span {
  const buffer: Buffer = memory.allocate(bytes.length + 16);
  resources.hold({ [Symbol.dispose]: () => memory.free?.(buffer) });
  memory.write(buffer, 0, new Uint8Array(16).fill(0xa5));
  if (bytes.length > 0) memory.write(buffer, 16, bytes);
  return { memory: buffer, originBytes: 16 };
}
