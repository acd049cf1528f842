import { ArgumentError, quoted } from "@stowage/ir";
import { isAddressSpace, requireMemory, type AddressSpace, type Memory, type Region } from "./memory.js";

/**
 * The region that holds the byte at `offsetBytes` of a memory, if any; a buffer is one region from 0. It takes O(log
 * regions). Throws an ArgumentError for what is no memory or no number.
 */
export function regionAt(memory: Memory, offsetBytes: number): Region | undefined {
  requireMemory(memory);
  if (typeof offsetBytes !== "number") throw new ArgumentError("offset in a memory", "a number", quoted(offsetBytes));
  const region = isAddressSpace(memory) ? lastFrom(memory, offsetBytes) : { startBytes: 0, buffer: memory };
  if (region === undefined || offsetBytes < region.startBytes) return undefined;
  return offsetBytes < region.startBytes + region.buffer.sizeBytes ? region : undefined;
}

/** The last region that starts at or below an offset. */
function lastFrom({ regions }: AddressSpace, offsetBytes: number): Region | undefined {
  let low = 0;
  let high = regions.length;
  while (high - low > 1) {
    const middle = low + ((high - low) >>> 1); // of indices, not of offsets
    if ((regions[middle] as Region).startBytes <= offsetBytes) low = middle;
    else high = middle;
  }
  return regions[low];
}
