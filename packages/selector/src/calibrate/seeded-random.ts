/** Numbers that are the same in every run. */
export interface Random {
  /** From 1 to `most`. */
  up(most: number): number;
  pick<Item>(items: readonly Item[]): Item;
  shuffled<Item>(items: readonly Item[]): Item[];
}

/** xorshift32, Marsaglia 2003. */
export function seededRandom(seed: number): Random {
  let state = seed === 0 ? 1 : Math.trunc(seed);
  const below = (limit: number): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
  return {
    up: (most) => 1 + below(most),
    pick: (items) => items[below(items.length)] as (typeof items)[number],
    shuffled(items) {
      const order = [...items];
      for (let i = order.length - 1; i > 0; i--) {
        const j = below(i + 1);
        [order[i], order[j]] = [order[j] as (typeof items)[number], order[i] as (typeof items)[number]];
      }
      return order;
    },
  };
}
