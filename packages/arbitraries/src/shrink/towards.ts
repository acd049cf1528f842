/** Integers simpler than a value, the simplest first; each lies between the two, and the last beside the value. */
export function* towards(simplest: number, value: number): Generator<number> {
  for (let step = value - simplest; step !== 0; step = Math.trunc(step / 2)) yield value - step;
}

/** A list with one of its integers simpler. */
export function* oneTowards(simplest: number, values: Iterable<number>): Generator<number[]> {
  const list = [...values];
  for (const [i, value] of list.entries()) {
    for (const simpler of towards(simplest, value)) yield list.with(i, simpler);
  }
}

/** Which of `length` places to keep: a half of them, then all but one. */
export function* fewer(length: number): Generator<readonly number[]> {
  const all = Array.from({ length }, (_, i) => i);
  const half = Math.floor(length / 2);
  if (half > 1) yield* [all.slice(0, half), all.slice(half)];
  for (const left of all) yield all.filter((i) => i !== left);
}

export const kept = <T>(values: ArrayLike<T>, places: readonly number[]): T[] => places.map((i) => values[i] as T);
