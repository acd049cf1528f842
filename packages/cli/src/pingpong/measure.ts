import { summarise, turnsOf, type Times } from "@stowage/bench";
import type { Communicator } from "@stowage/mpi-bridge";
import type { Contender } from "./contender.js";

/** Fewest samples of a contender; and enough of them: the DAME paper's medians are of at least 50. */
const FEWEST = 7;
const ENOUGH = 51;
/** Shortest sample: quick exchanges are timed in batches. */
const SAMPLE_MS = 0.15;
const MOST_TURNS = 128;
/** Turns before anything counts: the bridge has chosen a route by then. */
const LEAST_WARM_UP = 24;

/**
 * Times contenders that take turns, one sample of each a round, on both ranks alike. Rank 0's times are those of an
 * exchange.
 */
export function timeInTurns(comm: Communicator, contenders: readonly Contender[], budgetMs: number): readonly Times[] {
  const turns = contenders.map((contender) => turnsOfSample(comm, contender, budgetMs / 8));
  const sampleMs = contenders.map((contender, i) => sample(comm, contender, turns[i] as number) * (turns[i] as number));
  const slowest = Math.max(...sampleMs);
  const rounds = agreed(comm, Math.min(ENOUGH, Math.max(FEWEST, Math.floor(budgetMs / slowest))));
  const samples = contenders.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const i of turnsOf(contenders.length, round)) {
      samples[i]?.push(sample(comm, contenders[i] as Contender, turns[i] as number) * 1e6);
    }
  }
  return samples.map(summarise);
}

/** Milliseconds of one turn. */
function sample(comm: Communicator, contender: Contender, turns: number): number {
  comm.barrier();
  const start = performance.now();
  contender.run(turns);
  return (performance.now() - start) / turns;
}

/** Runs for a while, for JavaScript's compiler to optimise the way; then how many turns make a sample. */
function turnsOfSample(comm: Communicator, contender: Contender, warmUpMs: number): number {
  const end = performance.now() + warmUpMs;
  let [turns, done] = [1, 0];
  for (;;) {
    const spentMs = sample(comm, contender, turns) * turns;
    done += turns;
    const isLong = spentMs >= SAMPLE_MS || turns === MOST_TURNS;
    const isWarm = done >= LEAST_WARM_UP && performance.now() > end;
    if (agreed(comm, isLong && isWarm ? 1 : 0) === 1) return turns;
    if (agreed(comm, isLong ? 0 : 1) === 1) turns *= 2;
  }
}

/** Rank 0's number, on both. */
export function agreed(comm: Communicator, number: number): number {
  const cell = Float64Array.of(number);
  comm.bcast(cell, 0);
  return cell[0] as number;
}

/** Whether all ranks say so. */
export function allAgree(comm: Communicator, yes: boolean): boolean {
  const least = new Int32Array(1);
  comm.allreduce(Int32Array.of(yes ? 1 : 0), least, { op: "min" });
  return least[0] === 1;
}
