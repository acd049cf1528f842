import { isCapturing } from "./capture.js";
import { check, DriverError } from "./check.js";
import type { ContextHandle, StreamHandle } from "./context-handle.js";
import { requirePitches, type Box, type Copy, type CopySide } from "./copy.js";
import { copiesBatches, versionName } from "./version.js";
import { wordsOf, writeWord } from "./word.js";

/** Many copies in one call of the driver. All addresses must be pinned or device memory. */
export interface BatchCopy extends Copy {
  /** How many copies there are. */
  readonly count: number;
  /** The memory that the driver reads at each run; the copy holds it. */
  readonly views: readonly ArrayBufferView[];
}

// CUmemcpyAttributes: the source is read in stream order; no location hints. 24 bytes.
const IN_STREAM_ORDER = 1;

/**
 * Makes copies by cuMemcpyBatchAsync: entry i moves `sizes[i]` bytes from the address `sources[i]` to `targets[i]`. The
 * three lists have the same length, and are the copy's from now on. Throws a DriverError where the driver is older than
 * CUDA 12.8. Running it on a capturing stream throws a DriverError before anything is sent, because graphs cannot hold
 * batches.
 */
export function copyBatch(
  context: ContextHandle,
  targets: Float64Array,
  sources: Float64Array,
  sizes: Float64Array,
): BatchCopy {
  requireBatches(context, "cuMemcpyBatchAsync");
  const { libcuda } = context;
  const count = targets.length;
  const attributes = Uint32Array.of(IN_STREAM_ORDER, 0, 0, 0, 0, 0);
  const [targetWords, sourceWords] = [wordsOf(targets), wordsOf(sources)];
  const views = [targetWords, sourceWords, wordsOf(sizes), attributes, new BigUint64Array(1), new BigUint64Array(1)];
  const [to = 0, from = 0, bytes = 0, kinds = 0, indices = 0, failed = 0] = views.map(libcuda.addressOf);
  return {
    count,
    views,
    run(stream) {
      requireNotCapturing(context, stream, "cuMemcpyBatchAsync");
      const result = libcuda.cuMemcpyBatchAsync(to, from, bytes, count, kinds, indices, 1, failed, stream.handle);
      check(libcuda, "cuMemcpyBatchAsync", result);
    },
    shift(targetBytes, sourceBytes) {
      shiftAll(targets, targetWords, targetBytes);
      shiftAll(sources, sourceWords, sourceBytes);
    },
  };
}

function shiftAll(addresses: Float64Array, words: Uint32Array, bytes: number): void {
  if (bytes === 0) return;
  for (let i = 0; i < addresses.length; i++) writeWord(words, i, (addresses[i] = (addresses[i] as number) + bytes));
}

/** One box of a batch: its two sides, and how many bytes, rows and planes it has. */
export interface BoxCopy {
  /** Where the box is written. */
  readonly target: CopySide;
  /** Where the box is read. */
  readonly source: CopySide;
  /** The box's size. */
  readonly box: Box;
}

// CUDA_MEMCPY3D_BATCH_OP, cuda.h 13.0: type, address, row, rows of a plane, location hint for each side; the box; the
// order.
const WORDS_OF_AN_OPERATION = 14;
const POINTER = 1;
const [SOURCE_WORD, TARGET_WORD] = [1, 6];

/**
 * Makes copies of boxes in one call, in any order, by cuMemcpy3DBatchAsync. Throws a DriverError as copyBatch does, and
 * where a pitch is past the device's maximum.
 */
export function copyBoxes(context: ContextHandle, boxes: readonly BoxCopy[]): BatchCopy {
  const call = "cuMemcpy3DBatchAsync";
  requireBatches(context, call);
  for (const { target, source, box } of boxes) requirePitches(context, target, source, box);
  const { libcuda } = context;
  const side = ({ address, pitchBytes, planeRows }: CopySide, { widthBytes, rows }: Box) => [
    POINTER,
    ...[address, pitchBytes ?? widthBytes, planeRows ?? rows, 0],
  ];
  const words = boxes.flatMap(({ target, source, box }) => [
    ...side(source, box),
    ...side(target, box),
    ...[box.widthBytes, box.rows, box.planes ?? 1, IN_STREAM_ORDER],
  ]);
  const structures = wordsOf(words);
  // The driver writes to both: they live as long as the copy does.
  const views = [structures, new BigUint64Array(1)];
  const [operations = 0, failure = 0] = views.map(libcuda.addressOf);
  const shiftSide = (word: number, bytes: number): void => {
    for (let at = word; at < words.length; at += WORDS_OF_AN_OPERATION) {
      writeWord(structures, at, (words[at] = (words[at] as number) + bytes));
    }
  };
  return {
    count: boxes.length,
    views,
    run(stream) {
      requireNotCapturing(context, stream, call);
      check(libcuda, call, libcuda.cuMemcpy3DBatchAsync(boxes.length, operations, failure, 0, stream.handle));
    },
    shift(targetBytes, sourceBytes) {
      if (targetBytes !== 0) shiftSide(TARGET_WORD, targetBytes);
      if (sourceBytes !== 0) shiftSide(SOURCE_WORD, sourceBytes);
    },
  };
}

function requireBatches(context: ContextHandle, call: string): void {
  if (copiesBatches(context)) return;
  const text = `expected CUDA 12.8 or later, got ${versionName(context.version)}: update the NVIDIA driver`;
  throw new DriverError(call, undefined, text);
}

function requireNotCapturing(context: ContextHandle, stream: StreamHandle, call: string): void {
  if (!isCapturing(context, stream)) return;
  const text = "expected a stream that is not capturing, got one that is: graphs cannot hold batches of copies";
  throw new DriverError(call, undefined, text);
}
