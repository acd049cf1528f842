import type { Layout } from "@stowage/ir";
import type { Binding, Span } from "../binding.js";
import { BindingError } from "../errors.js";
import { isAddressSpace, type Buffer } from "../memory.js";
import type { Move } from "../move.js";
import { TABLE_ENTRY_BYTES, type ElementTable, type TableIndex } from "./move-tables.js";

/** What an entry says that leaves its element where it is. */
const SKIPPED: Readonly<Record<TableIndex, number>> = Object.freeze({ u32: 2 ** 32 - 1, i64: -1 });

/** A side of a move whose elements lie where a table says. */
export interface TabledSide {
  readonly name: "source" | "target";
  /** The index of the move. */
  readonly move: number;
  readonly layout: Layout;
  readonly table: ElementTable;
  readonly span: Span;
  /** Entry 0 lies at its origin. */
  readonly entries: Span;
  readonly skips: boolean;
}

/**
 * The side of move i as its table has it, where it has one. Throws a BindingError where the binding lacks the table,
 * has one that the move does not name, or where it does not hold an entry for each element.
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

/** The entries that a side's buffer holds elements for: from `least` to `most`; none where that is less. */
export function entryBounds({ layout, table, span }: TabledSide): { readonly least: number; readonly most: number } {
  const { trueLowerBoundBytes, trueExtentBytes } = layout;
  const low = -span.originBytes - trueLowerBoundBytes;
  const high = (span.memory as Buffer).sizeBytes + low - trueExtentBytes;
  const ends = [low / table.strideBytes, high / table.strideBytes];
  return { least: Math.ceil(Math.min(...ends)) + 0, most: Math.floor(Math.max(...ends)) };
}

/**
 * Where the elements of a range lie on the sides that have tables: displacements from the side's origin, a number an
 * element from `firstElement` on, all NaN of an element that a table of either side skips.
 */
export interface ElementPlaces {
  readonly firstElement: number;
  readonly elements: number;
  readonly source: Float64Array | undefined;
  readonly target: Float64Array | undefined;
}

/**
 * What the tables of a binding say, read now, which has been checked but for their entries. Throws a BindingError for
 * an entry whose element would leave its side's buffer, and for a table that this process cannot read.
 */
export function elementPlaces(i: number, move: Move, binding: Binding): ElementPlaces {
  const { first, length } = binding;
  const { sizeBytes } = move.source;
  const firstElement = length === 0 ? 0 : Math.floor(first / sizeBytes);
  const elements = length === 0 ? 0 : Math.floor((first + length - 1) / sizeBytes) + 1 - firstElement;
  const [source, target] = (["source", "target"] as const).map((name) => {
    const side = tabledSide(i, move, name, binding);
    return side === undefined ? undefined : displacementsOf(side, firstElement, elements);
  });
  if (source !== undefined && target !== undefined && move.tables?.skips === true) skipTogether(source, target);
  return { firstElement, elements, source, target };
}

function displacementsOf(side: TabledSide, firstElement: number, elements: number): Float64Array {
  const entries = entriesOf(side, firstElement, elements);
  const { least, most } = entryBounds(side);
  const { index, strideBytes } = side.table;
  const skipped = side.skips ? SKIPPED[index] : NaN;
  const displacementsBytes = new Float64Array(elements);
  for (let k = 0; k < elements; k++) {
    const entry = Number(entries[k]);
    if (entry === skipped) displacementsBytes[k] = NaN;
    else if (entry >= least && entry <= most) displacementsBytes[k] = entry * strideBytes;
    else throw badEntry(side, firstElement + k, String(entries[k]), least, most);
  }
  return displacementsBytes;
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

function badEntry({ name, move }: TabledSide, k: number, got: string, least: number, most: number): BindingError {
  const expected = most < least ? "none: the memory holds no element" : `from ${least} to ${most}`;
  return new BindingError(`entry ${k} of the table of the ${name} of move ${move}`, expected, got);
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
 * The number of elements that lies in memory, as it is now. Throws a BindingError where this process cannot read it.
 */
export function countInMemory({ memory, originBytes }: Span): number {
  const { bytes } = memory as Buffer;
  if (bytes === undefined) throw new BindingError("count in memory", "bytes that this process can read", "an address");
  return new DataView(bytes.buffer, bytes.byteOffset + originBytes, COUNT_BYTES).getUint32(0, true);
}
