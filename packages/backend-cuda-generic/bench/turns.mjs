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
