import type { Backend, Conditions, Move, Prediction, Profile } from "@stowage/backend-api";

/** A backend that takes the moves and says how long it takes. */
export interface Taker {
  readonly backend: Backend;
  readonly predict: (count: number) => Prediction;
}

/** What changes predictions by what real calls took: a factor for a backend's times. */
export type Correction = (backend: string, moves: readonly Move[], conditions: Conditions) => number;

export function takerOf(
  backend: Backend,
  moves: readonly Move[],
  conditions: Conditions,
  profile: Profile,
  correction: Correction,
): Taker | undefined {
  if (backend.predict === undefined) return undefined;
  const factor = correction(backend.name, moves, conditions);
  const predict = (count: number): Prediction => {
    const prediction = backend.predict?.(moves, { ...conditions, count }, profile) ?? { commitNs: 1, runNs: 1 };
    return factor === 1 ? prediction : { ...prediction, runNs: prediction.runNs * factor };
  };
  return { backend, predict };
}
