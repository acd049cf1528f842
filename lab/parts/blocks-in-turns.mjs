// Contenders of whom another process times some: blocks of a few calls each, in turns.
import { summarise, turnsOf } from "@stowage/bench";

const timed = (run, calls) =>
  Array.from({ length: calls }, () => {
    const begun = process.hrtime.bigint();
    run();
    return Number(process.hrtime.bigint() - begun);
  });

/**
 * Checks all, times blocks of `calls` calls each, and checks all again. An entrant that has `times` times so many calls
 * itself, in nanoseconds. The first call of a block pays for what the one before left in L2, and for the context of
 * another process, and is not counted. `settle` follows each block, outside its time.
 */
export function blocksInTurns(entrants, { turns, warmUpTurns = 2, calls = 5, settle = () => undefined }) {
  const all = Object.entries(entrants);
  for (const [, entrant] of all) entrant.check?.();
  const samples = all.map(() => []);
  for (let turn = 0; turn < warmUpTurns + turns; turn++)
    for (const i of turnsOf(all.length, turn)) {
      const [, { run, times = (each) => timed(run, each) }] = all[i];
      const counted = times(calls + 1).slice(1);
      settle();
      if (turn >= warmUpTurns) samples[i].push(...counted);
    }
  for (const [, entrant] of all) entrant.check?.();
  return Object.fromEntries(all.map(([name], i) => [name, summarise(samples[i])]));
}
