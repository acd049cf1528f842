import { summarise } from "@stowage/bench";

/** Calls of one contender before it is the next one's turn. */
const TURN = 5;
const WARM_UP_TURNS = 2;
const SHORT_CALL_RUNS = 300;
const LONG_CALL_RUNS = 60;
const LONG_CALL_BYTES = 2 ** 24;

/**
 * Wall time of one call with its wait, contenders taking turns of a few calls. The first call of a turn pays for what
 * the contender before left in L2, and is not counted: the peers' figures are of repeated calls, too.
 */
export function timeInTurns(calls, packedBytes) {
  const runs = packedBytes >= LONG_CALL_BYTES ? LONG_CALL_RUNS : SHORT_CALL_RUNS;
  const samples = calls.map(() => []);
  for (let turn = -WARM_UP_TURNS; turn < runs / TURN; turn++) {
    calls.forEach((call, c) => {
      for (let i = 0; i <= TURN; i++) {
        const before = process.hrtime.bigint();
        call();
        if (turn >= 0 && i > 0) samples[c].push(Number(process.hrtime.bigint() - before));
      }
    });
  }
  return samples.map(summarise);
}

/** Times of so many calls in nanoseconds, as blocks of inTurns are. */
export const timed = (call) => (repeats) =>
  Array.from({ length: repeats }, () => {
    const before = process.hrtime.bigint();
    call();
    return Number(process.hrtime.bigint() - before);
  });

/**
 * Samples of contenders by name: blocks of a few calls in turns, in another order each time, since what comes behind
 * another process pays for its context. The first call of each pays for what the one before left in L2, and is not
 * counted.
 */
export function inTurns(blocks, turns) {
  const times = Object.fromEntries(Object.keys(blocks).map((name) => [name, []]));
  const names = Object.keys(blocks);
  let state = 1;
  for (let turn = -WARM_UP_TURNS; turn < turns; turn++) {
    for (let i = names.length - 1; i > 0; i--) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      const j = (state >>> 8) % (i + 1);
      [names[i], names[j]] = [names[j], names[i]];
    }
    for (const name of names) {
      const samples = blocks[name](TURN + 1).slice(1);
      if (turn >= 0) times[name].push(...samples);
    }
  }
  return times;
}
