import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

/** Draws integers in [low, high]; the same seed draws the same integers everywhere. */
export type Draw = (low: number, high: number) => number;

export function seededDraw(seed: number): Draw {
  const generator = xoroshiro128plus(seed);
  return (low, high) => uniformInt(generator, low, high);
}

/** `chosen` different integers below `population`, in random order (Fisher and Yates' shuffle, cut short). */
export function drawDistinct(draw: Draw, chosen: number, population: number): Int32Array {
  const deck = Int32Array.from({ length: population }, (_, i) => i);
  for (let i = 0; i < chosen; i++) {
    const j = draw(i, population - 1);
    [deck[i], deck[j]] = [deck[j] as number, deck[i] as number];
  }
  return deck.slice(0, chosen);
}
