import type { Accumulator } from "./accumulator.js";
import type { Course } from "./course.js";
import type { ElementStream } from "./element-stream.js";
import type { PartMessages } from "./part-messages.js";
import { segmentsOf } from "./parts-of-stream.js";

export interface ChainJob {
  readonly messages: PartMessages;
  readonly sizeBytes: number;
  readonly own: Accumulator;
  /** Where an exclusive scan puts what comes before this rank; undefined of an inclusive one. */
  readonly before: ElementStream | undefined;
}

/**
 * A scan along the chain of ranks, segment by segment: what the ranks before this one make arrives, is combined with its own and
 * goes on, as MPI defines it (MPI 4.1, section 6.11): ((rank 0, rank 1), rank 2). Each rank moves the data once; the chain fills
 * in as many segments as there are ranks.
 */
export function* prefixChain({ messages, sizeBytes, own, before }: ChainJob): Course {
  const { rank, size } = messages;
  const isLast = rank === size - 1;
  const segments = segmentsOf({ first: 0, length: sizeBytes });
  const arriving = rank === 0 ? [] : segments.map(({ length }) => messages.receive(length, rank - 1));
  for (const [i, segment] of segments.entries()) {
    const message = arriving[i];
    const combines = before === undefined || !isLast;
    if (combines) own.begin(segment);
    if (message !== undefined) {
      yield [message.request];
      message.requireWhole();
      before?.put(segment, message.packed);
      if (combines) own.combine(segment, message.packed);
    }
    const packed = combines ? own.end(segment, !isLast) : undefined;
    if (packed !== undefined && !isLast) messages.send(packed, segment.length, rank + 1);
  }
  yield messages.requests;
}
