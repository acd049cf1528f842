import { packMove, unpackMove, type Direction } from "@stowage/backend-api";
import { forEachRun, type Layout } from "@stowage/ir";
import type { FeatureLevel } from "../src/feature-level.js";
import { program } from "../src/lower/program.js";
import { DEFAULT_TUNING, type Tuning } from "../src/options.js";
import { fillPattern, firstDifference, OFTEN, reachOf, type Range } from "./raw.js";
import { SimulatedMemory } from "./simulated/memory.js";
import { bytesOfRange, linesOf } from "./simulated/range-bytes.js";
import { SimulatedProcessor } from "./simulated/processor.js";

// Far apart, so that no address reaches from one into another; not aligned, as views need not be.
const [CODE, SCATTERED, PACKED, STACK] = [0x1000_0000, 0x2000_0003, 0x3000_0005, 0x4000_0000];
const STACK_BYTES = 64 * 1024;

/**
 * As differenceOf, on the simulated processor: any level runs. Packing may read the lines that hold bytes of the range,
 * unpacking writes its bytes alone.
 */
export function simulatedDifferenceOf(
  layout: Layout,
  range: Range,
  direction: Exclude<Direction, "copy" | "reduce">,
  level: FeatureLevel,
  tuning: Tuning = DEFAULT_TUNING,
): string | undefined {
  const { low, high } = reachOf(layout, range.count);
  const scattered = new Uint8Array(high - low);
  const packed = new Uint8Array(range.length);
  fillPattern(scattered, 3);
  fillPattern(packed, 101);
  const [wantScattered, wantPacked] = [scattered.slice(), packed.slice()];
  let at = 0;
  forEachRun(layout, range, (offset, length) => {
    const start = offset - low;
    if (direction === "pack") wantPacked.set(wantScattered.subarray(start, start + length), at);
    else wantScattered.set(wantPacked.subarray(at, at + length), start);
    at += length;
  });
  const move = direction === "pack" ? packMove(layout) : unpackMove(layout);
  const { code, assembler } = program(move, level, tuning, { listing: true, ...OFTEN });
  const own = bytesOfRange(layout, range);
  const memory = new SimulatedMemory([
    { name: "code", address: CODE, bytes: code, writable: false },
    {
      name: "scattered",
      address: SCATTERED,
      bytes: scattered,
      readable: direction === "pack" ? linesOf(own, SCATTERED) : new Uint8Array(own.length),
      writable: direction === "unpack" ? own : false,
    },
    { name: "packed", address: PACKED, bytes: packed, writable: direction === "pack" },
    { name: "stack", address: STACK - STACK_BYTES, bytes: new Uint8Array(STACK_BYTES), writable: true },
  ]);
  const [source, target] =
    direction === "pack" ? [SCATTERED - low, PACKED - range.first] : [PACKED - range.first, SCATTERED - low];
  new SimulatedProcessor(memory, assembler, CODE).call([source, target, range.count, range.first, range.length], STACK);
  return firstDifference("packed", packed, wantPacked) ?? firstDifference("scattered", scattered, wantScattered);
}
