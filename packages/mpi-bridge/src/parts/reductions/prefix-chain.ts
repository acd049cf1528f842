import type { Accumulator } from "./accumulator.js";
import type { Schedule } from "./schedule.js";
import type { ElementStream } from "./element-stream.js";
import { INPUT, type PartMessages } from "./part-messages.js";
import { DEPTH, segmentsOf, type StreamPart } from "./parts-of-stream.js";

export interface ChainJob {
  readonly messages: PartMessages;
  readonly sizeBytes: number;
  readonly own: Accumulator;
  /** Where an exclusive scan puts what comes before this rank; undefined of an inclusive one. */
  readonly before: ElementStream | undefined;
}

/**
 * A scan along the chain of ranks, segment by segment: what the ranks before this one make arrives, is combined with
 * its own and goes on, as MPI defines it (MPI 4.1, section 6.11): ((rank 0, rank 1), rank 2). Each rank moves the data
 * once; the chain fills in as many segments as there are ranks.
 */
export function* prefixChain({ messages, sizeBytes, own, before }: ChainJob): Schedule {
  const { rank, size } = messages;
  const segments = segmentsOf({ first: 0, length: sizeBytes });
  const arriving = rank === 0 ? undefined : messages.from(rank - 1, INPUT);
  const sending = rank === size - 1 ? undefined : messages.to(rank + 1, INPUT);
  // The last rank of an exclusive scan puts in nothing.
  const combines = before === undefined || sending !== undefined;
  const post = (index: number): void => {
    if (index < segments.length) arriving?.post(index, segments[index] as StreamPart);
  };
  for (let index = 0; index < DEPTH - 1; index++) post(index);
  for (const [index, segment] of segments.entries()) {
    post(index + DEPTH - 1);
    if (sending !== undefined) yield* sending.gone(index);
    if (combines) own.begin(segment, index);
    if (arriving !== undefined) {
      const packed = yield* arriving.arrived(index, segment);
      before?.put(segment, packed);
      if (combines) own.combine(segment, packed);
    }
    const packed = combines ? own.end(segment, sending !== undefined) : undefined;
    if (packed !== undefined) sending?.send(index, packed, segment);
  }
  yield* messages.ended();
}
