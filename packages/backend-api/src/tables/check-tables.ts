import { isDenseLayout, type Layout } from "@stowage/ir";
import type { Binding, Span } from "../binding.js";
import { checkBuffer } from "../check/check-buffer.js";
import { checkSpan } from "../check/check-span.js";
import { refuse, type Side } from "../check/side.js";
import { BindingError } from "../errors.js";
import type { Conditions } from "../conditions.js";
import { isAddressSpace, type Buffer, type Memory, type MemoryKind } from "../memory.js";
import type { Move } from "../move.js";
import { COUNT_BYTES, elementPlaces, requireEntries, tabledSide, type ElementPlaces } from "./table-entries.js";

/**
 * Everything that can be wrong with a binding of a move with tables, but for its range. Tables of host memory are read:
 * each entry must keep its element within the buffer, and no element may share a byte with one of the other side. Those
 * of other memory may be written by work that comes before, so the entries are checked where that work is.
 */
export function checkTables(source: Side, target: Side, move: Move, binding: Binding, conditions: Conditions): void {
  const i = source.move;
  const { tableKind = "host" } = conditions;
  checkKinds(i, binding, tableKind);
  checkCount(i, move, binding);
  for (const side of [source, target]) checkTabledSide(side, move, binding);
  if (binding.length === 0 || tableKind !== "host") return;
  refuseSharedElements(i, move, binding, elementPlaces(i, move, binding));
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
function refuseSharedElements(i: number, move: Move, binding: Binding, places: ElementPlaces): void {
  const { source, target } = binding;
  if (spaceOf(source.memory) !== spaceOf(target.memory)) return;
  const read = reachesOf(move.source, places.source, binding, places, startOf(source));
  const written = reachesOf(move.target, places.target, binding, places, startOf(target));
  const shared = areApart(wholeOf(read), wholeOf(written)) ? undefined : firstShared(read, written);
  if (shared !== undefined)
    throw new BindingError(`target of move ${i}`, "elements apart from the source's", `byte ${shared} in both`);
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

function wholeOf(reaches: readonly Reach[]): Reach {
  let [low, high] = [Infinity, -Infinity];
  for (const each of reaches) [low, high] = [Math.min(low, each.low), Math.max(high, each.high)];
  return { low, high };
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
