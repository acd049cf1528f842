import { isDenseLayout, type Layout } from "@stowage/ir";
import type { Binding, Span } from "../binding.js";
import { checkBuffer } from "../check/check-buffer.js";
import { checkSpan } from "../check/check-span.js";
import { refuse, type Side } from "../check/side.js";
import { BindingError } from "../errors.js";
import type { Conditions } from "../conditions.js";
import { isAddressSpace, type Buffer, type Memory, type MemoryKind } from "../memory.js";
import type { Move } from "../move.js";
import {
  COUNT_BYTES,
  elementPlaces,
  elementsOf,
  requireEntries,
  tabledSide,
  tableReading,
  type ElementPlaces,
  type TableReading,
  type TableReadings,
} from "./table-entries.js";

/**
 * Everything that can be wrong with a binding of a move with tables, but for its range. Tables of host memory are read:
 * each entry must keep its element within the buffer, and no element may share a byte with one of the other side. Those
 * of other memory may be written by work that comes before, so the entries are checked where that work is.
 */
export function checkTables(
  source: Side,
  target: Side,
  move: Move,
  binding: Binding,
  conditions: Conditions,
  readings: TableReadings,
): void {
  const i = source.move;
  const { tableKind = "host" } = conditions;
  checkKinds(i, binding, tableKind);
  checkCount(i, move, binding);
  for (const side of [source, target]) checkTabledSide(side, move, binding);
  if (binding.length === 0 || tableKind !== "host") return;
  refuseSharedElements(i, move, binding, readings);
}

function checkKinds(i: number, { tables = {} }: Binding, tableKind: MemoryKind): void {
  for (const name of ["source", "target", "count"] as const) {
    const kind = tables[name]?.memory.kind ?? tableKind;
    if (kind !== tableKind)
      throw new BindingError(`${name} table of move ${i}`, `${tableKind} memory`, `${kind} memory`);
  }
}

function checkTabledSide(side: Side, move: Move, binding: Binding): void {
  if (isAddressSpace(side.span.memory)) refuse(side, "one buffer, as its move has tables", "an address space");
  const tabled = tabledSide(side.move, move, side.name, binding);
  if (tabled === undefined) checkSpan(side, binding);
  else {
    const { memory, originBytes } = side.span;
    if (!Number.isSafeInteger(originBytes)) refuse(side, "an origin that is a safe integer", String(originBytes));
    checkBuffer(side, { buffer: memory, originBytes });
  }
}

function checkCount(i: number, move: Move, { tables, count, first, length }: Binding): void {
  if (tables?.count === undefined) return;
  const subject = `count in memory of move ${i}`;
  requireEntries(subject, tables.count, 1, COUNT_BYTES);
  const whole = count * move.source.sizeBytes;
  if (first !== 0 || length !== whole)
    throw new BindingError(subject, `a range of all ${whole} bytes`, `[${first}, ${first + length})`);
}

/** Bytes [low, high) of one element. */
interface Reach {
  readonly low: number;
  readonly high: number;
}

/** Elements of both sides are compared by what each reaches, gaps in it included. */
function refuseSharedElements(i: number, move: Move, binding: Binding, readings: TableReadings): void {
  const { source, target } = binding;
  const [read, written] = (["source", "target"] as const).map((name) =>
    wholeOf(move[name], tableReading(i, move, name, binding, readings), move, binding, startOf(binding[name])),
  ) as [Reach, Reach];
  if (spaceOf(source.memory) !== spaceOf(target.memory) || areApart(read, written)) return;
  const places = elementPlaces(i, move, binding, readings);
  const shared = firstShared(
    reachesOf(move.source, places.source, binding, places, startOf(source)),
    reachesOf(move.target, places.target, binding, places, startOf(target)),
  );
  if (shared !== undefined)
    throw new BindingError(`target of move ${i}`, "elements apart from the source's", `byte ${shared} in both`);
}

/** What all elements of a side reach together, skipped ones of the other side included. */
function wholeOf(side: Layout, reading: TableReading | undefined, move: Move, binding: Binding, origin: number): Reach {
  if (reading === undefined && isDenseLayout(side))
    return { low: origin + binding.first, high: origin + binding.first + binding.length };
  const { trueLowerBoundBytes, trueExtentBytes, extentBytes } = side;
  const { firstElement, elements } = elementsOf(move, binding);
  const ends = [firstElement * extentBytes, (firstElement + elements - 1) * extentBytes];
  const least = reading?.leastBytes ?? Math.min(...ends);
  const most = reading?.mostBytes ?? Math.max(...ends);
  return { low: origin + least + trueLowerBoundBytes, high: origin + most + trueLowerBoundBytes + trueExtentBytes };
}

/** What each element that moves reaches; all of them together where they are a packed stream. */
function reachesOf(
  layout: Layout,
  displacementsBytes: Float64Array | undefined,
  { first, length }: Binding,
  places: ElementPlaces,
  origin: number,
): readonly Reach[] {
  if (displacementsBytes === undefined && isDenseLayout(layout))
    return [{ low: origin + first, high: origin + first + length }];
  const { trueLowerBoundBytes, trueExtentBytes, extentBytes } = layout;
  const { firstElement, elements } = places;
  const moved = places.source ?? places.target;
  const reaches: Reach[] = [];
  for (let k = 0; k < elements; k++) {
    if (Number.isNaN(moved?.[k])) continue;
    const low = origin + trueLowerBoundBytes + (displacementsBytes?.[k] ?? (firstElement + k) * extentBytes);
    reaches.push({ low, high: low + trueExtentBytes });
  }
  return reaches;
}

const areApart = (a: Reach, b: Reach): boolean => a.low >= b.high || b.low >= a.high;

/** By a sweep in the order of addresses. */
function firstShared(read: readonly Reach[], written: readonly Reach[]): number | undefined {
  const [a, b] = [read, written].map((each) => each.toSorted((x, y) => x.low - y.low)) as [Reach[], Reach[]];
  let [i, j, endA, endB] = [0, 0, -Infinity, -Infinity];
  while (i < a.length || j < b.length) {
    const isA = j >= b.length || (i < a.length && (a[i] as Reach).low <= (b[j] as Reach).low);
    const { low, high } = (isA ? a[i++] : b[j++]) as Reach;
    if (low < (isA ? endB : endA)) return low;
    if (isA) endA = Math.max(endA, high);
    else endB = Math.max(endB, high);
  }
  return undefined;
}

const ADDRESSES = Object.freeze({});

/** What two memories must share for their bytes to meet: an ArrayBuffer, or the machine's addresses. */
function spaceOf(memory: Memory): object {
  const { address, bytes } = memory as Buffer;
  return address === undefined && bytes !== undefined ? bytes.buffer : ADDRESSES;
}

function startOf({ memory, originBytes }: Span): number {
  const { address, bytes } = memory as Buffer;
  return (address ?? bytes?.byteOffset ?? 0) + originBytes;
}
