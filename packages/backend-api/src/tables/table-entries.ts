import type { Layout } from "@stowage/ir";
import type { Binding, Span } from "../binding.js";
import { BindingError } from "../errors.js";
import { isAddressSpace, type Buffer, type Memory } from "../memory.js";
import type { Move } from "../move.js";
import { TABLE_ENTRY_BYTES, type ElementTable, type TableIndex } from "./move-tables.js";

/** What an entry says that leaves its element where it is. */
const SKIPPED: Readonly<Record<TableIndex, number>> = Object.freeze({ u32: 2 ** 32 - 1, i64: -1 });

/** A side of a move whose elements lie where a table says. */
export interface TabledSide {
  /** Which side of the move it is. */
  readonly name: "source" | "target";
  /** The index of the move. */
  readonly move: number;
  /** The layout of one element. */
  readonly layout: Layout;
  /** How the table's entries are stored, and what they count. */
  readonly table: ElementTable;
  /** The memory of the elements; displacements count from its origin. */
  readonly span: Span;
  /** The memory of the table; entry 0 lies at its origin. */
  readonly entries: Span;
  /** Whether an entry of -1 leaves its element where it is. */
  readonly skips: boolean;
}

/**
 * The side of move `i` with its table; undefined where neither the move nor the binding has a table for it. Throws a
 * BindingError where the binding lacks the table, has one that the move does not name, or where its memory does not
 * hold an aligned entry for each element.
 */
export function tabledSide(i: number, move: Move, name: "source" | "target", binding: Binding): TabledSide | undefined {
  const table = move.tables?.[name];
  const entries = binding.tables?.[name];
  if (table === undefined && entries === undefined) return undefined;
  const subject = `table of the ${name} of move ${i}`;
  if (table === undefined) throw new BindingError(subject, "none, as the move was made", "one");
  if (entries === undefined) throw new BindingError(subject, "memory and an origin in it", "none");
  requireEntries(subject, entries, binding.count, TABLE_ENTRY_BYTES[table.index]);
  const skips = move.tables?.skips === true;
  return { name, move: i, layout: move[name], table, span: binding[name], entries, skips };
}

/** Throws a BindingError where memory does not hold so many entries, aligned to their size. */
export function requireEntries(
  subject: string,
  { memory, originBytes }: Span,
  count: number,
  entryBytes: number,
): void {
  if (isAddressSpace(memory)) throw new BindingError(subject, "one buffer", "an address space");
  const { address, bytes, sizeBytes } = memory;
  if (bytes === undefined && address === undefined) throw new BindingError(subject, "bytes or an address", "neither");
  if (bytes !== undefined && bytes.byteLength < sizeBytes)
    throw new BindingError(subject, `a view of ${sizeBytes} bytes`, `${bytes.byteLength}: detached, or shrunk since`);
  const end = originBytes + count * entryBytes;
  if (!Number.isSafeInteger(originBytes) || originBytes < 0 || end > sizeBytes)
    throw new BindingError(
      subject,
      `${count} entries of ${entryBytes} bytes within [0, ${sizeBytes})`,
      `[${originBytes}, ${end})`,
    );
  const startBytes = (address ?? bytes?.byteOffset ?? 0) + originBytes;
  if (startBytes % entryBytes !== 0)
    throw new BindingError(
      subject,
      `entries aligned to ${entryBytes} bytes`,
      `an address or a byte offset of ${startBytes}`,
    );
}

/**
 * The least and the most value of entries whose elements the side's buffer holds; no entry is right where `most` is
 * less than `least`. The side's memory must be one buffer.
 */
export function entryBounds({ layout, table, span }: TabledSide): { readonly least: number; readonly most: number } {
  const { trueLowerBoundBytes, trueExtentBytes } = layout;
  const low = -span.originBytes - trueLowerBoundBytes;
  const high = (span.memory as Buffer).sizeBytes + low - trueExtentBytes;
  const ends = [low / table.strideBytes, high / table.strideBytes];
  return { least: Math.ceil(Math.min(...ends)) + 0, most: Math.floor(Math.max(...ends)) };
}

/**
 * Where the elements of a range lie on the sides that have tables. A list has a displacement for each of the `elements`
 * elements from `firstElement` on, in bytes from the side's origin. It is NaN for an element that a table of either
 * side skips.
 */
export interface ElementPlaces {
  /** The index of the first element that the range touches. */
  readonly firstElement: number;
  /** How many elements the range touches. */
  readonly elements: number;
  /** Displacements of the source's elements; undefined where the source has no table. */
  readonly source: Float64Array | undefined;
  /** Displacements of the target's elements; undefined where the target has no table. */
  readonly target: Float64Array | undefined;
}

/** What some entries of a table say, in bytes. */
export interface TableReading {
  /** A displacement an entry, in bytes: the entry times the table's stride. NaN: the entry skips its element. */
  readonly displacementsBytes: Float64Array;
  /** Whether an entry skips its element. */
  readonly skipsSome: boolean;
  /** The least displacement that is a number; Infinity where none is. */
  readonly leastBytes: number;
  /** The greatest displacement that is a number; -Infinity where none is. */
  readonly mostBytes: number;
}

/** Reads displacement tables, each at most once for all bindings of a call. */
export class TableReadings {
  readonly #known = new Map<Memory, { readonly key: string; readonly reading: TableReading }[]>();

  /**
   * Reads `elements` entries from `firstElement` on. Throws a BindingError for a table that this process cannot read.
   */
  of(side: TabledSide, firstElement: number, elements: number): TableReading {
    const { entries, table, skips } = side;
    const key = `${entries.originBytes} ${table.index} ${table.strideBytes} ${skips} ${firstElement} ${elements}`;
    const known = this.#known.get(entries.memory) ?? [];
    const same = known.find((each) => each.key === key);
    if (same !== undefined) return same.reading;
    const reading = readingOf(side, firstElement, elements);
    this.#known.set(entries.memory, [...known, { key, reading }]);
    return reading;
  }
}

/**
 * Reads the tables of a binding, and says where its elements lie now. Everything but the entries must have been
 * checked. Throws a BindingError for an entry whose element would leave its side's buffer, and for a table that this
 * process cannot read. Bindings that share tables, as pools of pages do, share `readings`.
 */
export function elementPlaces(
  i: number,
  move: Move,
  binding: Binding,
  readings: TableReadings = new TableReadings(),
): ElementPlaces {
  const range = elementsOf(move, binding);
  const [source, target] = (["source", "target"] as const).map((name) =>
    tableReading(i, move, name, binding, readings),
  );
  if (source?.skipsSome !== true && target?.skipsSome !== true)
    return { ...range, source: source?.displacementsBytes, target: target?.displacementsBytes };
  const [from, to] = [source?.displacementsBytes.slice(), target?.displacementsBytes.slice()];
  if (from !== undefined && to !== undefined) skipTogether(from, to);
  return { ...range, source: from, target: to };
}

/** The elements that the range of a binding touches. */
export function elementsOf(
  { source: { sizeBytes } }: Move,
  { first, length }: Binding,
): { readonly firstElement: number; readonly elements: number } {
  if (length === 0) return { firstElement: 0, elements: 0 };
  const firstElement = Math.floor(first / sizeBytes);
  return { firstElement, elements: Math.floor((first + length - 1) / sizeBytes) + 1 - firstElement };
}

/** What the table of a side says of the range's elements, where it has one. Throws as elementPlaces does. */
export function tableReading(
  i: number,
  move: Move,
  name: "source" | "target",
  binding: Binding,
  readings: TableReadings,
): TableReading | undefined {
  const side = tabledSide(i, move, name, binding);
  if (side === undefined) return undefined;
  const { firstElement, elements } = elementsOf(move, binding);
  const reading = readings.of(side, firstElement, elements);
  const { least, most } = entryBounds(side);
  const { strideBytes } = side.table;
  const [low, high] =
    strideBytes > 0 ? [reading.leastBytes, reading.mostBytes] : [reading.mostBytes, reading.leastBytes];
  if (low / strideBytes < least || high / strideBytes > most) refuseEntry(side, firstElement, reading, least, most);
  return reading;
}

function readingOf(side: TabledSide, firstElement: number, elements: number): TableReading {
  const entries = entriesOf(side, firstElement, elements);
  const { index, strideBytes } = side.table;
  const skipped = side.skips ? SKIPPED[index] : NaN;
  const displacementsBytes = new Float64Array(elements);
  let [leastBytes, mostBytes, skipsSome] = [Infinity, -Infinity, false];
  for (let k = 0; k < elements; k++) {
    const entry = Number(entries[k]);
    if (entry === skipped) {
      displacementsBytes[k] = NaN;
      skipsSome = true;
      continue;
    }
    const displacement = entry * strideBytes;
    displacementsBytes[k] = displacement;
    if (displacement < leastBytes) leastBytes = displacement;
    if (displacement > mostBytes) mostBytes = displacement;
  }
  return { displacementsBytes, skipsSome, leastBytes, mostBytes };
}

function entriesOf({ name, move, table, entries }: TabledSide, first: number, count: number) {
  const { bytes } = entries.memory as Buffer;
  if (bytes === undefined)
    throw new BindingError(`table of the ${name} of move ${move}`, "bytes that this process can read", "an address");
  const startBytes = bytes.byteOffset + entries.originBytes + first * TABLE_ENTRY_BYTES[table.index];
  return table.index === "u32"
    ? new Uint32Array(bytes.buffer, startBytes, count)
    : new BigInt64Array(bytes.buffer, startBytes, count);
}

/** Throws a BindingError for the first entry that is none of its side's. */
function refuseEntry(
  side: TabledSide,
  firstElement: number,
  { displacementsBytes }: TableReading,
  least: number,
  most: number,
): never {
  const { name, move, table } = side;
  const isBad = (entry: number): boolean => entry < least || entry > most;
  const k = displacementsBytes.findIndex((each) => isBad(each / table.strideBytes));
  const [got] = entriesOf(side, firstElement + k, 1);
  const expected = most < least ? "none: the memory holds no element" : `from ${least} to ${most}`;
  throw new BindingError(
    `entry ${firstElement + k} of the table of the ${name} of move ${move}`,
    expected,
    String(got),
  );
}

function skipTogether(source: Float64Array, target: Float64Array): void {
  for (let k = 0; k < source.length; k++) {
    if (Number.isNaN(source[k])) target[k] = NaN;
    else if (Number.isNaN(target[k])) source[k] = NaN;
  }
}

/** Bytes of a number of elements that lies in memory: a u32. */
export const COUNT_BYTES = 4;

/**
 * Reads the number of elements that lies in memory at the span's origin: a u32, little-endian. Throws a BindingError
 * where this process cannot read it.
 */
export function countInMemory({ memory, originBytes }: Span): number {
  const { bytes } = memory as Buffer;
  if (bytes === undefined) throw new BindingError("count in memory", "bytes that this process can read", "an address");
  return new DataView(bytes.buffer, bytes.byteOffset + originBytes, COUNT_BYTES).getUint32(0, true);
}
