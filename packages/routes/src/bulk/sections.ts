import { isAddressSpace, regionAt, type AddressSpace, type Binding, type Buffer } from "@stowage/backend-api";
import { forEachRun, type Layout } from "@stowage/ir";
import { intervalsOf, isShortGap, type Interval } from "./intervals.js";

/** Bytes [low, high) of a side's memory that one copy takes whole, gaps and all, and the buffer that holds them. */
export interface Section extends Interval {
  readonly buffer: Buffer;
  /** The address of its first byte. */
  readonly address: number;
}

/** Part of a binding's range whose sections fit one mirror. */
export interface Pass {
  readonly first: number;
  readonly length: number;
  readonly sections: readonly Section[];
  /** Bytes of all sections together. */
  readonly sizeBytes: number;
}

/** The range of a binding in passes of at most so many bytes of sections each, or of one byte. */
export function passesOf(layout: Layout, binding: Binding, mostBytes: number): readonly Pass[] {
  const { first, length } = binding;
  if (length === 0) return [];
  const sections = sectionsOf(layout, binding);
  const sizeBytes = sections.reduce((sum, { low, high }) => sum + high - low, 0);
  if (sizeBytes <= mostBytes || length === 1) return [{ first, length, sections, sizeBytes }];
  const half = Math.floor(length / 2);
  return [
    ...passesOf(layout, { ...binding, length: half }, mostBytes),
    ...passesOf(layout, { ...binding, first: first + half, length: length - half }, mostBytes),
  ];
}

function sectionsOf(layout: Layout, binding: Binding): readonly Section[] {
  const { memory, originBytes } = binding.source;
  if (isAddressSpace(memory)) return sectionsIn(memory, layout, binding);
  return intervalsOf(layout, binding).map(({ low, high }) => ({
    low: originBytes + low,
    high: originBytes + high,
    buffer: memory,
    address: (memory.address ?? 0) + originBytes + low,
  }));
}

/** Gaps may hold the end of a region: each run is looked up, and neighbours in one region are a section. */
function sectionsIn(memory: AddressSpace, layout: Layout, binding: Binding): readonly Section[] {
  const { originBytes } = binding.source;
  const reached = new Map<Buffer, { startBytes: number; low: number; high: number }[]>();
  forEachRun(layout, binding, (offset, length) => {
    const low = originBytes + offset;
    const region = regionAt(memory, low);
    if (region === undefined) throw new TypeError(`source: expected byte ${low} in a region, got none`);
    const { buffer, startBytes } = region;
    const list = reached.get(buffer) ?? [];
    list.push({ startBytes, low, high: low + length });
    reached.set(buffer, list);
  });
  return [...reached].flatMap(([buffer, list]) => sectionsOfRegion(buffer, list));
}

function sectionsOfRegion(
  buffer: Buffer,
  runs: { startBytes: number; low: number; high: number }[],
): readonly Section[] {
  const sections: { low: number; high: number; buffer: Buffer; address: number }[] = [];
  for (const { startBytes, low, high } of runs.sort((a, b) => a.low - b.low)) {
    const last = sections.at(-1);
    if (last !== undefined && isShortGap(last.high, low)) last.high = Math.max(last.high, high);
    else sections.push({ low, high, buffer, address: (buffer.address ?? 0) + low - startBytes });
  }
  return sections;
}
