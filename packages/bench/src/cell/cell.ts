import { ArgumentError, lower, quoted, type Datatype, type Layout } from "@stowage/ir";
import { formatBytes } from "../format.js";
import type { ResultRow } from "../results/row.js";
import { requireText } from "../require-value.js";
import { WrongBytesError } from "../wrong-bytes-error.js";
import { forEachBlock } from "./blocks.js";
import { Pattern } from "./pattern.js";

/** One datatype, count and direction, with the data that every contender is given and must produce. */
export interface Cell {
  /** The name of the subject, as result rows have it. */
  readonly workload: string;
  /** The datatype that is packed or unpacked. */
  readonly datatype: Datatype;
  /** How many elements of it are moved. */
  readonly count: number;
  /** The length of the packed stream, `count` times the datatype's size. */
  readonly packedBytes: number;
  /** Whether contenders pack or unpack. */
  readonly direction: Exclude<ResultRow["direction"], "copy">;
  /** The content of the scattered memory: each byte is the pattern's at its offset. */
  readonly pattern: Pattern;
  /** The elements as they lie in memory; made when it is first asked for, and shared by both directions. */
  readonly scattered: Uint8Array;
  /** Bytes from the start of `scattered` to the datatype's address 0. */
  readonly originBytes: number;
  /**
   * The packed stream of `scattered`, made by the layout before canonicalisation: what every contender must agree with.
   */
  readonly packed: Uint8Array;
}

/**
 * Makes the data of a workload, for a pack and then an unpack, which share it. Throws an ArgumentError for a count that
 * is no whole number of 0 or more, and for more than 2 GiB packed.
 */
export function cellsOf(workload: string, datatype: Datatype, count: number): readonly Cell[] {
  const layout = lower(datatype);
  requireText(workload, "workload");
  if (!Number.isSafeInteger(count) || count < 0)
    throw new ArgumentError(`count of ${workload}`, "an integer of 0 or more", quoted(count));
  requireMakable(workload, count * layout.sizeBytes);
  const { lowBytes, highBytes } = reach(layout, count);
  const pattern = new Pattern(highBytes - lowBytes);
  const originBytes = -lowBytes;
  const packed = gather(layout, count, pattern, originBytes);
  let scattered: Uint8Array | undefined;
  const cell = (direction: Cell["direction"]): Cell => ({
    workload,
    datatype,
    count,
    packedBytes: packed.length,
    direction,
    pattern,
    get scattered() {
      return (scattered ??= pattern.bytes());
    },
    originBytes,
    packed,
  });
  return [cell("pack"), cell("unpack")];
}

/** Every contender has a packed stream of its own. */
const MOST_PACKED_BYTES = 2 ** 31;

function requireMakable(workload: string, packedBytes: number): void {
  if (packedBytes <= MOST_PACKED_BYTES) return;
  const [most, got] = [MOST_PACKED_BYTES, packedBytes].map(formatBytes);
  throw new ArgumentError(workload, `at most ${most} packed`, `${got}`);
}

function reach(layout: Layout, count: number): { lowBytes: number; highBytes: number } {
  const last = (count - 1) * layout.extentBytes;
  const low = layout.trueLowerBoundBytes;
  return { lowBytes: Math.min(low, low + last), highBytes: Math.max(low, low + last) + layout.trueExtentBytes };
}

/** The packed stream by the uncanonicalised layout: what all contenders must agree with. */
function gather(layout: Layout, count: number, pattern: Pattern, originBytes: number): Uint8Array {
  const packed = new Uint8Array(count * layout.sizeBytes);
  let at = 0;
  forEachBlock(layout, count, (offsetBytes, lengthBytes) => {
    pattern.copyTo(packed, at, originBytes + offsetBytes, lengthBytes);
    at += lengthBytes;
  });
  return packed;
}

/** The bytes that an unpack must leave in scattered memory whose bytes were all `canary` before. */
export function expectedScatter(cell: Cell, canary: number): Uint8Array {
  const expected = new Uint8Array(cell.pattern.sizeBytes).fill(canary);
  forEachBlock(lower(cell.datatype), cell.count, (offsetBytes, lengthBytes) => {
    const from = cell.originBytes + offsetBytes;
    cell.pattern.copyTo(expected, from, from, lengthBytes);
  });
  return expected;
}

/**
 * Throws a WrongBytesError where `got` is not as expected. It names the first byte that differs, counted from `start`,
 * where `got` begins. `contender` is named in the message.
 */
export function requireSameBytes(
  cell: Cell,
  contender: string,
  expected: Uint8Array,
  got: Uint8Array,
  start = 0,
): void {
  if (Buffer.compare(expected, got) === 0) return;
  const at = expected.findIndex((byte, i) => byte !== got[i]);
  const where = `byte ${start + at} of the ${cell.direction}`;
  throw new WrongBytesError(`${cell.workload}: ${contender}: ${where}: expected ${expected[at]}, got ${got[at]}`);
}
