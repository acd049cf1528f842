import { copyMove } from "@stowage/backend-api";
import type { Layout } from "@stowage/ir";
import type { FeatureLevel } from "../src/feature-level.js";
import { DEFAULT_TUNING, type Tuning } from "../src/options.js";
import { copyProgram } from "../src/relayout/copy-program.js";
import { copied } from "./raw-copy.js";
import { fillPattern, firstDifference, reachOf } from "./raw.js";
import { SimulatedMemory } from "./simulated/memory.js";
import { bytesOfRange, linesOf } from "./simulated/range-bytes.js";
import { SimulatedProcessor } from "./simulated/processor.js";

// Far apart, so that no address reaches from one into another; not aligned, as views need not be.
const [CODE, SOURCE, TARGET, STACK] = [0x1000_0000, 0x2000_0003, 0x3000_0005, 0x4000_0000];
const STACK_BYTES = 64 * 1024;

/**
 * As copyDifferenceOf, of whole elements of layouts that pair, on the simulated processor: the lines that hold bytes of
 * the source may be read, bytes of the target alone may be written.
 * `onLine`: the target begins with a cache line.
 */
export function simulatedCopyDifferenceOf(
  source: Layout,
  target: Layout,
  count: number,
  level: FeatureLevel,
  tuning: Tuning = DEFAULT_TUNING,
  onLine = false,
): string | undefined {
  const targetAddress = onLine ? TARGET - (TARGET % 64) : TARGET;
  const [read, written] = [reachOf(source, count), reachOf(target, count)];
  const [from, to] = [new Uint8Array(read.high - read.low), new Uint8Array(written.high - written.low)];
  fillPattern(from, 3);
  fillPattern(to, 101);
  const range = { count, first: 0, length: count * source.sizeBytes };
  const want = copied(source, target, range, from, to);
  const { code, assembler } = copyProgram(copyMove(source, target), level, tuning, { listing: true });
  const memory = new SimulatedMemory([
    { name: "code", address: CODE, bytes: code, writable: false },
    {
      name: "source",
      address: SOURCE,
      bytes: from,
      readable: linesOf(bytesOfRange(source, range), SOURCE),
      writable: false,
    },
    {
      name: "target",
      address: targetAddress,
      bytes: to,
      readable: new Uint8Array(to.length),
      writable: bytesOfRange(target, range),
    },
    { name: "stack", address: STACK - STACK_BYTES, bytes: new Uint8Array(STACK_BYTES), writable: true },
  ]);
  new SimulatedProcessor(memory, assembler, CODE).call(
    [SOURCE - read.low, targetAddress - written.low, count, 0, range.length],
    STACK,
  );
  return firstDifference("target", to, want);
}
