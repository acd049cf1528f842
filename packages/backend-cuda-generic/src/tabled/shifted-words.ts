import type { Builder, Value } from "@stowage/ptx";
import { loadWord, storeWord } from "../kernel/generic-kernel.js";
import type { DataHints } from "../kernel/variant.js";

/** Bytes of the words that are stored. */
export const SHIFTED_BYTES = 8;
/** Elements this long have a whole word behind any start; and so many threads take their ends, a byte each. */
export const LEAST_SHIFTED_BYTES = 16;
export const LEAST_SHIFTING_THREADS = 16;

/** One run of bytes, which threads share. */
export interface SharedRun {
  readonly k: Builder;
  readonly source: Value;
  readonly target: Value;
  readonly sizeBytes: Value;
  /** Which of the pieces that the run takes, and the thread's number among those that share it. */
  readonly piece: Value;
  readonly lane: Value;
  readonly threads: number;
  readonly unroll: number;
  readonly hints: DataHints;
}

/**
 * A run whose ends lie at any address: whole words of the target, each put together of the two words of the source that
 * hold its bytes, and the few bytes before and behind them a thread each. Words of the source reach up to 7 bytes
 * beyond the run.
 */
export function moveShifted({ k, source, target, sizeBytes, piece, lane, threads, unroll, hints }: SharedRun): void {
  const step = Math.log2(SHIFTED_BYTES);
  const within = (address: Value): Value => address.to("u32").and(SHIFTED_BYTES - 1);
  const head = k
    .constant("u32", SHIFTED_BYTES)
    .sub(within(target))
    .and(SHIFTED_BYTES - 1);
  const behind = sizeBytes.sub(head);
  const words = behind.shr(step);
  const [from, to] = [source, target].map((address) => address.add(head.to("u64"))) as [Value, Value];
  const into = within(from);
  const start = from.sub(into.to("u64"));
  // Where both sides are aligned alike, there is no second word: the first is read again, and shifted out.
  const next = into.min(1).shl(step).to("u64");
  const right = into.shl(3);
  const left = k.constant("u32", 64).sub(right);
  const indices = [piece.mul(unroll * threads).add(lane)];
  while (indices.length < unroll) indices.push((indices.at(-1) as Value).add(threads));
  const last = words.sub(1);
  const loaded = indices.map((index) => {
    const place = start.add(index.min(last).to("u64").shl(step));
    return [place, place.add(next)].flatMap((each) => loadWord(k, each, SHIFTED_BYTES, hints)) as [Value, Value];
  });
  const isEnd = piece.eq(0).and(lane.lt(head.add(behind.and(SHIFTED_BYTES - 1))));
  const end = lane
    .lt(head)
    .select(lane, lane.add(words.shl(step)))
    .to("u64");
  const byte = k.variable("u32", 0);
  k.if(isEnd, () => byte.set(loadWord(k, source.add(end), 1, hints)[0] as Value));
  loaded.forEach(([low, high], i) => {
    const index = indices[i] as Value;
    const word = low.shr(right).or(high.shl(left));
    k.if(index.lt(words), () => storeWord(k, to.add(index.to("u64").shl(step)), [word], SHIFTED_BYTES, hints));
  });
  k.if(isEnd, () => storeWord(k, target.add(end), [byte], 1, hints));
}

/** The same run, a byte at a time, by the threads of all its pieces. */
export function moveBytes(
  { k, source, target, sizeBytes, piece, lane, threads, hints }: SharedRun,
  pieces: Value | number,
): void {
  const step = k.constant("u32", threads).mul(pieces);
  const position = k.variable("u32", piece.mul(threads).add(lane));
  k.while(
    () => position.lt(sizeBytes),
    () => {
      const at = position.to("u64");
      storeWord(k, target.add(at), loadWord(k, source.add(at), 1, hints), 1, hints);
      position.set(position.add(step));
    },
  );
}
