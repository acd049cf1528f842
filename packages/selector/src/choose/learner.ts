import type { Conditions, Move } from "@stowage/backend-api";
import { directionOf } from "@stowage/backend-api";
import type { Correction } from "./taker.js";

/** Predictions are corrected by no more than this, either way, and not before so many calls were timed. */
const MOST_FACTOR = 2;
const LEAST_CALLS = 8;
/** How much the latest call weighs beside all before it. */
const WEIGHT = 1 / 16;

interface Learnt {
  calls: number;
  logRatio: number;
}

/**
 * What real calls took beside what was predicted, for each backend and direction: a mean that the latest calls weigh
 * most in. Its size does not grow with calls, and it changes predictions by a factor of 2 at most.
 */
export class Learner {
  readonly #learnt = new Map<string, Learnt>();

  /** A call that took `measuredNs` where `predictedNs` had been predicted. */
  observe(backend: string, moves: readonly Move[], predictedNs: number, measuredNs: number): void {
    const key = keyOf(backend, moves);
    const learnt = this.#learnt.get(key) ?? { calls: 0, logRatio: 0 };
    const bound = Math.log(MOST_FACTOR);
    const logRatio = Math.max(-bound, Math.min(bound, Math.log(measuredNs / predictedNs)));
    learnt.calls++;
    learnt.logRatio += (logRatio - learnt.logRatio) * Math.max(WEIGHT, 1 / learnt.calls);
    this.#learnt.set(key, learnt);
  }

  readonly correction: Correction = (backend: string, moves: readonly Move[], _: Conditions): number => {
    const learnt = this.#learnt.get(keyOf(backend, moves));
    return learnt === undefined || learnt.calls < LEAST_CALLS ? 1 : Math.exp(learnt.logRatio);
  };
}

const keyOf = (backend: string, moves: readonly Move[]): string => `${backend} ${moves.map(directionOf).join()}`;
