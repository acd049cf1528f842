import { isAddressSpace, regionAt, type Binding, type Buffer, type Region } from "@stowage/backend-api";
import { runs, type Layout } from "@stowage/ir";

/** Bytes [low, high) of a side's memory that one copy takes whole, gaps and all, and the region that holds them. */
export interface Section {
  readonly region: Region;
  low: number;
  high: number;
}

/** A gap that costs the bus less than another copy does: 0.33 us at 53 GB/s. */
const SHORT_GAP_BYTES = 2 ** 14;

/** What must be copied so that a range's bytes are there: runs with short gaps between them as one, in order of place. */
export function sectionsOf(layout: Layout, binding: Binding): readonly Section[] {
  const { memory, originBytes } = binding.source;
  const whole: Region | undefined = isAddressSpace(memory) ? undefined : { startBytes: 0, buffer: memory };
  const found: Section[] = [];
  let last: Section | undefined;
  for (const { offsetBytes, lengthBytes } of runs(layout, binding)) {
    const low = originBytes + offsetBytes;
    const high = low + lengthBytes;
    if (last !== undefined && isNear(last, low, high) && isWithin(last.region, low, high)) {
      last.low = Math.min(last.low, low);
      last.high = Math.max(last.high, high);
      continue;
    }
    const region = whole ?? regionAt(memory, low);
    if (region === undefined) throw new TypeError(`source: expected byte ${low} in a region, got none`);
    last = { region, low, high };
    found.push(last);
  }
  return merged(found);
}

const isNear = (section: Section, low: number, high: number): boolean =>
  low <= section.high + SHORT_GAP_BYTES && high >= section.low - SHORT_GAP_BYTES;

const isWithin = ({ startBytes, buffer }: Region, low: number, high: number): boolean =>
  low >= startBytes && high <= startBytes + buffer.sizeBytes;

function merged(sections: readonly Section[]): readonly Section[] {
  const kept: Section[] = [];
  for (const section of sections.toSorted((a, b) => a.low - b.low)) {
    const last = kept.at(-1);
    if (last?.region.buffer === section.region.buffer && isNear(last, section.low, section.high))
      last.high = Math.max(last.high, section.high);
    else kept.push({ ...section });
  }
  return kept;
}

export const bytesOf = (sections: readonly Section[]): number =>
  sections.reduce((sum, { low, high }) => sum + high - low, 0);

/** The address of a section's first byte. */
export const addressOf = ({ region, low }: Section): number => (region.buffer.address ?? 0) + low - region.startBytes;

/** A section's bytes in a mirror of the memory, at the same place. */
export const mirrored = ({ low }: Section, buffer: Buffer): Region => ({ startBytes: low, buffer });
