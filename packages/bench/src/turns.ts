/**
 * The order, as their indices, in which `count` contenders take their turns in a round. Over `count` rounds (over twice
 * as many where `count` is odd) every contender has every place equally often and directly follows every other equally
 * often, so that what one leaves in the caches is shared by all. E. J. Williams, Experimental designs balanced for the
 * estimation of residual effects of treatments (1949).
 */
export function turnsOf(count: number, round: number): readonly number[] {
  const order = Array.from({ length: count }, (_, turn) => (zigzag(turn, count) + round) % count);
  return count % 2 === 1 && Math.floor(round / count) % 2 === 1 ? order.reverse() : order;
}

/** 0, count - 1, 1, count - 2, …: neighbours differ by every number once. */
const zigzag = (turn: number, count: number): number => (turn % 2 === 0 ? turn / 2 : count - (turn + 1) / 2);
