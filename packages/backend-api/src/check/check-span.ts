import { forEachRun, type PackedRange } from "@stowage/ir";
import { isAddressSpace, type Memory, type Region } from "../memory.js";
import { bufferOriginWithin, reachOf } from "../reach.js";
import { regionAt } from "../region-at.js";
import { checkBuffer } from "./check-buffer.js";
import { refuse, type Side } from "./side.js";

const SAFE = "offsets within ±(2^53 - 1)";

/** Whether a side's memory holds what the range reaches; the range itself has been checked. */
export function checkSpan(side: Side, range: PackedRange): void {
  const { memory, originBytes } = side.span;
  if (!isWithoutRegions(memory) && memory.kind !== side.kind)
    refuse(side, `${side.kind} memory`, `${memory.kind} memory`);
  if (!Number.isSafeInteger(originBytes)) refuse(side, "an origin that is a safe integer", String(originBytes));
  if (range.length === 0) return;
  const reach = reachOf(side.layout, range);
  const low = requireSafe(side, requireSafe(side, reach.lowBytes) + originBytes);
  const high = requireSafe(side, requireSafe(side, reach.highBytes) + originBytes);
  const held = bufferOriginWithin(memory, originBytes, low, high);
  if (held !== undefined) checkBuffer(side, held);
  else if (isAddressSpace(memory)) checkBlocks(side, range);
  else refuse(side, `bytes within [0, ${memory.sizeBytes})`, `[${low}, ${high})${low < 0 ? zeroAt(originBytes) : ""}`);
}

/** A datatype may reach below its address 0: who sees that is told which byte of the memory that was. */
const zeroAt = (originBytes: number): string => `, with the datatype's address 0 at originBytes ${originBytes}`;

const isWithoutRegions = (memory: Memory): boolean => isAddressSpace(memory) && memory.regions.length === 0;

function requireSafe(side: Side, value: number): number {
  return Number.isSafeInteger(value) ? value : refuse(side, SAFE, String(value));
}

/** Several regions, or holes, in reach: each block that moves must lie within one region. */
function checkBlocks(side: Side, range: PackedRange): void {
  const { memory, originBytes } = side.span;
  let region: Region | undefined;
  forEachRun(side.layout, range, (offsetBytes, lengthBytes) => {
    const low = originBytes + offsetBytes;
    if (region !== undefined && isWithin(region, low, lengthBytes)) return;
    region = regionAt(memory, low);
    if (region === undefined || !isWithin(region, low, lengthBytes)) {
      refuse(side, "each block within one region of the address space", `the block [${low}, ${low + lengthBytes})`);
    }
    checkBuffer(side, { buffer: region.buffer, originBytes: originBytes - region.startBytes });
  });
}

const isWithin = ({ startBytes, buffer }: Region, low: number, lengthBytes: number): boolean =>
  low >= startBytes && low + lengthBytes <= startBytes + buffer.sizeBytes;
