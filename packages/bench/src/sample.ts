import { turnsOf } from "./turns.js";

/** The time of one call in nanoseconds, over interleaved samples. */
export interface Times {
  /** The median of the samples. */
  readonly medianNs: number;
  /** The least sample. */
  readonly minNs: number;
  /** The greatest sample. */
  readonly maxNs: number;
  /** How many samples there are. */
  readonly runs: number;
}

/** How often and how long is measured. */
export interface Sampling {
  /** Milliseconds to spend on each contender of a cell. */
  readonly budgetMs: number;
  /** Fewest samples of each, whatever the budget. Default: 7. */
  readonly rounds?: number;
  /** The shortest sample in microseconds: quick calls are timed in batches that last this long. */
  readonly sampleUs: number;
  /**
   * Milliseconds for which each call is made before it is timed, so that JavaScript's compiler has optimised the way to
   * it. Default: half the budget.
   */
  readonly warmUpMs?: number;
}

/** How often and how long is measured where nothing else is asked: 40 ms a contender, in samples of 100 us and more. */
export const DEFAULT_SAMPLING: Sampling = { budgetMs: 40, sampleUs: 100 };

const FEWEST_SAMPLES = 7;

/**
 * Times calls that take turns: one sample of each a round, so that a slow spell of the machine hits all alike, in an
 * order in which each follows every other equally often (turnsOf). Before a sample is a call that is not counted,
 * because another call had the caches. The result has one entry a call.
 */
export function sampleInTurns(
  calls: readonly (() => void)[],
  { budgetMs, sampleUs, rounds = FEWEST_SAMPLES, warmUpMs = budgetMs / 2 }: Sampling,
): readonly Times[] {
  for (const call of calls) warmUp(call, warmUpMs);
  const batches = calls.map((call) => batchSize(call, sampleUs));
  const samples = calls.map((): number[] => []);
  const end = performance.now() + budgetMs * calls.length;
  for (let round = 0; round < rounds || performance.now() < end; round++) {
    for (const i of turnsOf(calls.length, round)) {
      const call = calls[i] as () => void;
      call();
      samples[i]?.push(timeBatch(call, batches[i] as number));
    }
  }
  return samples.map(summarise);
}

/** Calls for so long. */
export function warmUp(call: () => void, ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end) for (let i = 0; i < CALLS_A_LOOK; i++) call();
}

/** Calls between two looks at the clock: fewer, and the clock would be what is optimised. */
const CALLS_A_LOOK = 8;

function batchSize(call: () => void, sampleUs: number): number {
  let batch = 1;
  while (timeBatch(call, batch) * batch < sampleUs * 1e3 && batch < 1 << 20) batch *= 2;
  return batch;
}

function timeBatch(call: () => void, batch: number): number {
  const begin = performance.now();
  for (let i = 0; i < batch; i++) call();
  return ((performance.now() - begin) * 1e6) / batch;
}

/**
 * The median, the least and the greatest of some samples of one call, in nanoseconds. Of an even number of samples the
 * median is the mean of the two in the middle.
 */
export function summarise(samples: readonly number[]): Times {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (i: number): number => Math.max(sorted[i] ?? NaN, Number.MIN_VALUE);
  const middle = Math.floor(sorted.length / 2);
  const medianNs = sorted.length % 2 === 1 ? at(middle) : (at(middle - 1) + at(middle)) / 2;
  return { medianNs, minNs: at(0), maxNs: at(sorted.length - 1), runs: sorted.length };
}
