import { forEachRun, lower, type Datatype, type Layout } from "@stowage/ir";
import { FindingError } from "../run-program.js";
import type { ResultRow } from "../results/schema.js";

/** One datatype, count and direction, with the data that every contender is given and must produce. */
export interface Cell {
  readonly workload: string;
  readonly datatype: Datatype;
  readonly count: number;
  readonly packedBytes: number;
  readonly direction: Exclude<ResultRow["direction"], "copy">;
  /** Elements as they lie in memory, the datatype's address 0 at originBytes. */
  readonly scattered: Uint8Array;
  readonly originBytes: number;
  readonly packed: Uint8Array;
}

/** The data of a workload, made once and shared by its two directions. */
export function cellsOf(workload: string, datatype: Datatype, count: number): readonly Cell[] {
  const layout = lower(datatype);
  const packedBytes = count * layout.sizeBytes;
  const { lowBytes, highBytes } = reach(layout, count);
  const scattered = pattern(highBytes - lowBytes);
  const originBytes = -lowBytes;
  const packed = gather(layout, count, scattered, originBytes);
  const shared = { workload, datatype, count, packedBytes, scattered, originBytes, packed };
  return [
    { ...shared, direction: "pack" },
    { ...shared, direction: "unpack" },
  ];
}

function reach(layout: Layout, count: number): { lowBytes: number; highBytes: number } {
  const last = (count - 1) * layout.extentBytes;
  const low = layout.trueLowerBoundBytes;
  return { lowBytes: Math.min(low, low + last), highBytes: Math.max(low, low + last) + layout.trueExtentBytes };
}

/** Bytes that repeat nowhere near: a block from the wrong place shows. xorshift32, Marsaglia 2003. */
function pattern(sizeBytes: number): Uint8Array {
  const words = new Uint32Array(Math.ceil(sizeBytes / 4));
  let state = 0x9e3779b9;
  for (let i = 0; i < words.length; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[i] = state;
  }
  return new Uint8Array(words.buffer, 0, sizeBytes);
}

/** The packed stream by the uncanonicalised layout: what all contenders must agree with. */
function gather(layout: Layout, count: number, scattered: Uint8Array, originBytes: number): Uint8Array {
  const packed = new Uint8Array(count * layout.sizeBytes);
  let at = 0;
  forEachRun(layout, { count, first: 0, length: packed.length }, (offsetBytes, lengthBytes) => {
    const from = originBytes + offsetBytes;
    for (let i = 0; i < lengthBytes; i++) packed[at++] = scattered[from + i] as number;
  });
  return packed;
}

/** What an unpack into `canary` bytes must leave. */
export function expectedScatter(cell: Cell, canary: number): Uint8Array {
  const expected = new Uint8Array(cell.scattered.length).fill(canary);
  const range = { count: cell.count, first: 0, length: cell.packedBytes };
  forEachRun(lower(cell.datatype), range, (offsetBytes, lengthBytes) => {
    const from = cell.originBytes + offsetBytes;
    for (let i = from; i < from + lengthBytes; i++) expected[i] = cell.scattered[i] as number;
  });
  return expected;
}

/** Throws a FindingError that names the first byte where `got` is not as expected. */
export function requireSameBytes(cell: Cell, contender: string, expected: Uint8Array, got: Uint8Array): void {
  if (Buffer.compare(expected, got) === 0) return;
  const at = expected.findIndex((byte, i) => byte !== got[i]);
  throw new FindingError(
    `${cell.workload}: ${contender}: byte ${at} of the ${cell.direction}: expected ${expected[at]}, got ${got[at]}`,
  );
}
