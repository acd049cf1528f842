import type { Queue } from "@stowage/backend-api";
import type { Event, OwnStream, StreamHandle } from "@stowage/cuda-driver";
import { LEGACY_STREAM } from "@stowage/cuda-plans";
import type { StagingBuffer } from "./pool/staging-buffer.js";
import type { Side } from "./sides.js";
import type { StagedChunk } from "./staged-chunk.js";

/** What one run of a route has taken. */
export interface Taken {
  readonly device: readonly StagingBuffer[];
  /** Pinned buffers, where the host's memory is pageable; else none. */
  readonly pinned: readonly StagingBuffer[];
  /** The stream of the copies; undefined where one chunk needs none beside the queue. */
  readonly copies: OwnStream | undefined;
  /** Marks where the queue was when the run began. */
  readonly begun: Event;
}

export const bufferOf = (buffers: readonly StagingBuffer[], k: number): StagingBuffer =>
  buffers[k % buffers.length] as StagingBuffer;

/**
 * Sends all chunks, in the order of the queue: packing there, copies in a stream of their own where there are several.
 * Into pageable memory it returns when all is there; from it, once all was read. Buffers are marked drained.
 */
export function send(chunks: readonly StagedChunk[], side: Side, queue: Queue | undefined, taken: Taken): void {
  const main = queue ?? LEGACY_STREAM;
  const pack: Pack = (chunk, staged) => chunk.pack(staged, queue);
  if (side === "target") sendToHost(chunks, main, taken, pack);
  else sendFromHost(chunks, main, taken, pack);
}

/** Sends all chunks to a capturing stream. The host's memory is pinned. */
export function sendCaptured(chunks: readonly StagedChunk[], side: Side, main: StreamHandle, taken: Taken): void {
  const pack: Pack = (chunk, staged) => chunk.packCaptured(staged, main);
  if (side === "target") sendToHost(chunks, main, taken, pack);
  else sendFromHost(chunks, main, taken, pack);
}

type Pack = (chunk: StagedChunk, staged: StagingBuffer) => void;

function sendToHost(chunks: readonly StagedChunk[], main: StreamHandle, taken: Taken, pack: Pack): void {
  const { device, pinned, copies = main } = taken;
  const behind = pinned.length;
  const finish = (k: number): void => {
    bufferOf(pinned, k).settleFilled();
    chunks[k]?.copyOnHost(bufferOf(pinned, k));
  };
  for (const [k, chunk] of chunks.entries()) {
    const staged = bufferOf(device, k);
    staged.awaitDrained(main);
    pack(chunk, staged);
    handOver(staged, main, copies);
    if (behind > 0 && k >= behind) finish(k - behind);
    chunk.copy(staged, behind === 0 ? undefined : bufferOf(pinned, k), copies);
    if (behind > 0) bufferOf(pinned, k).filledIn(copies);
    staged.drainedIn(copies);
  }
  if (behind > 0) for (let k = Math.max(0, chunks.length - behind); k < chunks.length; k++) finish(k);
  else if (copies !== main) bufferOf(device, chunks.length - 1).awaitDrained(main);
}

function sendFromHost(chunks: readonly StagedChunk[], main: StreamHandle, taken: Taken, pack: Pack): void {
  const { device, pinned, copies = main, begun } = taken;
  if (copies !== main) {
    begun.record(main);
    begun.holdUp(copies);
  }
  for (const [k, chunk] of chunks.entries()) {
    const staged = bufferOf(device, k);
    if (pinned.length > 0) {
      bufferOf(pinned, k).settle();
      chunk.copyOnHost(bufferOf(pinned, k));
    }
    staged.awaitDrained(copies);
    chunk.copy(staged, pinned.length === 0 ? undefined : bufferOf(pinned, k), copies);
    if (pinned.length > 0) bufferOf(pinned, k).drainedIn(copies);
    handOver(staged, copies, main);
    pack(chunk, staged);
    staged.drainedIn(main);
  }
}

/** What one stream put into a buffer, another goes on with. */
function handOver(staged: StagingBuffer, from: StreamHandle, to: StreamHandle): void {
  if (from === to) return;
  staged.filledIn(from);
  staged.awaitFilled(to);
}
