/**
 * Picks a few of all combinations of choices, such that every two choices that occur together in any occur together in
 * one of them. Greedy: each time the combination with the most pairs still missing.
 */
export function everyPair<T extends object>(all: readonly T[]): readonly T[] {
  const numbers = new Map<string, number>();
  const candidates = all.map((combination) => {
    const pairs = pairsOf(combination, numbers);
    return { combination, pairs, gain: pairs.length };
  });
  const missing = new Set(candidates.flatMap(({ pairs }) => pairs));
  const chosen: T[] = [];
  while (missing.size > 0) {
    let best: (typeof candidates)[number] | undefined;
    for (const candidate of candidates) {
      // Gains only fall, so what gained less before need not be counted again.
      if (best !== undefined && candidate.gain <= best.gain) continue;
      candidate.gain = candidate.pairs.filter((pair) => missing.has(pair)).length;
      if (best === undefined || candidate.gain > best.gain) best = candidate;
    }
    for (const pair of best?.pairs ?? []) missing.delete(pair);
    if (best !== undefined) chosen.push(best.combination);
  }
  return chosen;
}

const MOST_CHOICES = 2 ** 20;

/** Pairs of numbered choices, each as one number. */
function pairsOf(combination: object, numbers: Map<string, number>): readonly number[] {
  const choices = Object.entries(combination).map(([name, value]) => {
    const text = `${name}: ${JSON.stringify(value)}`;
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  });
  return choices.flatMap((one, i) => choices.slice(i + 1).map((other) => one * MOST_CHOICES + other));
}
