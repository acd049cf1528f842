/** All items in an order that a seed decides: any first part of it is a sample. Fisher and Yates, xorshift32. */
export function shuffled<Item>(items: readonly Item[], seed: number): readonly Item[] {
  const order = [...items];
  let state = seed * 0x9e3779b1 || 1;
  for (let i = order.length - 1; i > 0; i--) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    const j = (state >>> 0) % (i + 1);
    [order[i], order[j]] = [order[j] as Item, order[i] as Item];
  }
  return order;
}
