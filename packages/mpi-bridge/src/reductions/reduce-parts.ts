import type { Accumulator } from "./accumulator.js";
import type { Course } from "./course.js";
import type { ElementStream } from "./element-stream.js";
import type { Arriving, PartMessages } from "./part-messages.js";
import { segmentsOf, type StreamPart } from "./parts-of-stream.js";

export interface PartsJob {
  readonly messages: PartMessages;
  /** Of the packed stream, one for each rank: the rank that combines it. */
  readonly parts: readonly StreamPart[];
  readonly input: ElementStream;
  readonly own: Accumulator;
  /** Ranks that need the results of others: none, the root, all. */
  readonly readers: readonly number[];
  /** Where this rank puts the results of others, if it is a reader. */
  readonly result: ElementStream | undefined;
  /** Its result is written where its input is still needed. */
  readonly overwritesInput: boolean;
}

/**
 * Each rank combines one part of the packed stream, as the others' elements of it arrive, and sends the result to those that
 * need it: a reduce-scatter by pairs of ranks, and a gather (Rabenseifner 2004; Thakur, Rabenseifner, Gropp 2005, sections 4.3 and
 * 4.4). Each part is combined by one rank in one order, so that all ranks get the same bits.
 */
export function* reduceParts(job: PartsJob): Course {
  const { messages, parts, own, readers } = job;
  const { rank, size } = messages;
  const segments = segmentsOf(parts[rank] as StreamPart);
  const arriving = segments.map(({ length }) => others(size, rank, -1).map((from) => messages.receive(length, from)));
  const results = readers.includes(rank) ? receiveResults(job) : [];
  sendInput(job);
  if (job.overwritesInput) for (const segment of segments) own.begin(segment);
  const reading = readers.filter((reader) => reader !== rank);
  for (const [i, segment] of segments.entries()) {
    own.begin(segment);
    for (const message of arriving[i] as readonly Arriving[]) {
      yield [message.request];
      message.requireWhole();
      own.combine(segment, message.packed);
    }
    const packed = own.end(segment, reading.length > 0);
    if (packed !== undefined) for (const reader of reading) messages.send(packed, segment.length, reader);
  }
  for (const { segment, message } of results) {
    yield [message.request];
    message.requireWhole();
    job.result?.put(segment, message.packed);
  }
  yield messages.requests;
}

/** The other ranks, each at another distance, so that no two ranks turn to a third at once. */
const others = (size: number, rank: number, step: 1 | -1): readonly number[] =>
  Array.from({ length: size - 1 }, (_, i) => (rank + step * (i + 1) + size) % size);

/** A segment of each part in turn: all ranks have something to do soon. */
function sendInput({ messages, parts, input }: PartsJob): void {
  const { rank, size } = messages;
  const lists = others(size, rank, 1).map((dest) => ({ dest, segments: segmentsOf(parts[dest] as StreamPart) }));
  const most = Math.max(0, ...lists.map(({ segments }) => segments.length));
  for (let i = 0; i < most; i++) {
    for (const { dest, segments } of lists) {
      const segment = segments[i];
      if (segment === undefined) continue;
      const packed = messages.take(segment.length);
      input.pack(segment, packed);
      messages.send(packed, segment.length, dest);
    }
  }
}

function receiveResults({ messages, parts }: PartsJob): readonly { segment: StreamPart; message: Arriving }[] {
  return others(messages.size, messages.rank, -1).flatMap((source) =>
    segmentsOf(parts[source] as StreamPart).map((segment) => ({
      segment,
      message: messages.receive(segment.length, source),
    })),
  );
}
