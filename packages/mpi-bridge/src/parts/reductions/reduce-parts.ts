import type { Accumulator } from "./accumulator.js";
import type { Schedule } from "./schedule.js";
import type { ElementStream } from "./element-stream.js";
import { INPUT, RESULTS, type PartMessages, type ReceivedStream, type SentStream } from "./part-messages.js";
import { segmentsOf, type StreamPart } from "./parts-of-stream.js";

export interface PartsJob {
  readonly messages: PartMessages;
  /** Parts of the packed stream, one for each rank: the rank that combines it. */
  readonly parts: readonly StreamPart[];
  readonly input: ElementStream;
  readonly own: Accumulator;
  /** Ranks that need the results of others: none, the root, all. */
  readonly readers: readonly number[];
  /** Where this rank puts the results of others, if it is a reader. */
  readonly result: ElementStream | undefined;
}

/** The segments that go to, or come from, one rank. */
interface Streamed<S> {
  readonly stream: S;
  readonly segments: readonly StreamPart[];
}

/**
 * Each rank combines one part of the packed stream, as the others' elements of it arrive, and sends the result to those
 * that need it: a reduce-scatter by pairs of ranks, and a gather (Thakur, Rabenseifner, Gropp 2005, sections 4.3 to
 * 4.5). Each part is combined by one rank in one order, so that all ranks get the same bits.
 *
 * Segment by segment: while one is combined the next is under way. A rank that is at a step has posted the receives of
 * all steps before it, so that the rank that is the furthest behind can always go on.
 */
export function* reduceParts(job: PartsJob): Schedule {
  const { messages, parts, own, readers } = job;
  const { rank, size } = messages;
  const [behind, ahead] = [others(size, rank, -1), others(size, rank, 1)];
  const segments = segmentsOf(parts[rank] as StreamPart);
  const inputs = behind.map((from) => messages.from(from, INPUT));
  const sent = ahead.map((to) => streamed(messages.to(to, INPUT), parts[to]));
  const reading = ahead.filter((each) => readers.includes(each)).map((to) => messages.to(to, RESULTS));
  const results = readers.includes(rank)
    ? behind.map((from) => streamed(messages.from(from, RESULTS), parts[from]))
    : [];
  const steps = Math.max(segments.length, ...[...sent, ...results].map((each) => each.segments.length));
  for (let step = 0; step < steps + 2; step++) {
    post(
      inputs.map((stream) => ({ stream, segments })),
      step,
    );
    post(results, step);
    yield* sendInput(job, sent, step);
    if (step > 0) yield* combine(own, { inputs, reading }, segments[step - 1], step - 1);
    if (step > 1) yield* putResults(job, results, step - 2);
  }
  yield* messages.ended();
}

/** The other ranks, each at another distance, so that no two ranks turn to a third at once. */
const others = (size: number, rank: number, step: 1 | -1): readonly number[] =>
  Array.from({ length: size - 1 }, (_, i) => (rank + step * (i + 1) + size) % size);

const streamed = <S>(stream: S, part: StreamPart | undefined): Streamed<S> => ({
  stream,
  segments: segmentsOf(part as StreamPart),
});

function post(list: readonly Streamed<ReceivedStream>[], index: number): void {
  for (const { stream, segments } of list) {
    const segment = segments[index];
    if (segment !== undefined) stream.post(index, segment);
  }
}

function* sendInput({ input }: PartsJob, sent: readonly Streamed<SentStream>[], index: number): Schedule {
  for (const { stream, segments } of sent) {
    const segment = segments[index];
    if (segment === undefined) continue;
    const packed = yield* stream.slot(index);
    input.pack(segment, packed);
    stream.send(index, packed, segment);
  }
}

interface OwnStreams {
  readonly inputs: readonly ReceivedStream[];
  readonly reading: readonly SentStream[];
}

/** Combines one segment of this rank's own part. */
function* combine(
  own: Accumulator,
  { inputs, reading }: OwnStreams,
  segment: StreamPart | undefined,
  index: number,
): Schedule {
  if (segment === undefined) return;
  // What others still read of the last segment in this memory must have gone.
  for (const stream of reading) yield* stream.gone(index);
  own.begin(segment, index);
  for (const stream of inputs) own.combine(segment, yield* stream.arrived(index, segment));
  const packed = own.end(segment, reading.length > 0);
  if (packed !== undefined) for (const stream of reading) stream.send(index, packed, segment);
}

function* putResults({ result }: PartsJob, results: readonly Streamed<ReceivedStream>[], index: number): Schedule {
  for (const { stream, segments } of results) {
    const segment = segments[index];
    if (segment !== undefined) result?.put(segment, yield* stream.arrived(index, segment));
  }
}
