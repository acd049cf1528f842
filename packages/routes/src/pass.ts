import type { Queue } from "@stowage/backend-api";
import type { Event, OwnStream, StreamHandle } from "@stowage/cuda-driver";
import { LEGACY_STREAM } from "@stowage/cuda-plans";
import type { StagingBuffer } from "./pool/staging-buffer.js";
import type { Side } from "./sides.js";
import type { StagedChunk } from "./staged-chunk.js";

/** What one run of a route has taken. */
export interface Taken {
  readonly device: readonly StagingBuffer[];
  /** Of pageable memory alone. */
  readonly pinned: readonly StagingBuffer[];
  /** The stream of the copies; undefined where one chunk needs none beside the queue. */
  readonly copies: OwnStream | undefined;
  /** Marks where the queue was when the run began. */
  readonly begun: Event;
}

const of = (buffers: readonly StagingBuffer[], k: number): StagingBuffer =>
  buffers[k % buffers.length] as StagingBuffer;

/**
 * Sends all chunks, in the order of the queue: packing there, copies in a stream of their own where there are several.
 * Into pageable memory it returns when all is there; from it, once all was read. Buffers are marked drained.
 */
export function send(chunks: readonly StagedChunk[], side: Side, queue: Queue | undefined, taken: Taken): void {
  const main = queue ?? LEGACY_STREAM;
  if (side === "target") sendToHost(chunks, queue, main, taken);
  else sendFromHost(chunks, queue, main, taken);
}

function sendToHost(chunks: readonly StagedChunk[], queue: Queue | undefined, main: StreamHandle, taken: Taken): void {
  const { device, pinned, copies = main } = taken;
  const behind = pinned.length;
  const finish = (k: number): void => {
    of(pinned, k).settleFilled();
    chunks[k]?.copyOnHost(of(pinned, k));
  };
  for (const [k, chunk] of chunks.entries()) {
    const staged = of(device, k);
    staged.awaitDrained(main);
    chunk.pack(staged, queue);
    handOver(staged, main, copies);
    if (behind > 0 && k >= behind) finish(k - behind);
    chunk.copy(staged, behind === 0 ? undefined : of(pinned, k), copies);
    if (behind > 0) of(pinned, k).filledIn(copies);
    staged.drainedIn(copies);
  }
  if (behind > 0) for (let k = Math.max(0, chunks.length - behind); k < chunks.length; k++) finish(k);
  else if (copies !== main) of(device, chunks.length - 1).awaitDrained(main);
}

function sendFromHost(
  chunks: readonly StagedChunk[],
  queue: Queue | undefined,
  main: StreamHandle,
  taken: Taken,
): void {
  const { device, pinned, copies = main, begun } = taken;
  if (copies !== main) {
    begun.record(main);
    begun.holdUp(copies);
  }
  for (const [k, chunk] of chunks.entries()) {
    const staged = of(device, k);
    if (pinned.length > 0) {
      of(pinned, k).settle();
      chunk.copyOnHost(of(pinned, k));
    }
    staged.awaitDrained(copies);
    chunk.copy(staged, pinned.length === 0 ? undefined : of(pinned, k), copies);
    if (pinned.length > 0) of(pinned, k).drainedIn(copies);
    handOver(staged, copies, main);
    chunk.pack(staged, queue);
    staged.drainedIn(main);
  }
}

/** What one stream put into a buffer, another goes on with. */
function handOver(staged: StagingBuffer, from: StreamHandle, to: StreamHandle): void {
  if (from === to) return;
  staged.filledIn(from);
  staged.awaitFilled(to);
}
