import { describe, expect, it } from "vitest";
import { turnsOf } from "../src/turns.js";

describe.each([1, 2, 3, 6, 7, 9])("turns of %i contenders", (count) => {
  const rounds = Array.from({ length: count % 2 === 0 ? count : 2 * count }, (_, round) => turnsOf(count, round));
  const share = rounds.length / count;

  it("give each one turn a round", () => {
    for (const round of rounds)
      expect([...round].sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, i) => i));
  });
  it("give each every place equally often", () => {
    for (let place = 0; place < count; place++) {
      for (let who = 0; who < count; who++) expect(rounds.filter((round) => round[place] === who)).toHaveLength(share);
    }
  });
  it("let each follow every other equally often", () => {
    const pairs = rounds.flatMap((round) => round.slice(1).map((who, i) => `${who} after ${round[i]}`));
    const times = new Map<string, number>();
    for (const pair of pairs) times.set(pair, (times.get(pair) ?? 0) + 1);
    expect(times.size).toBe(count * (count - 1));
    for (const each of times.values()) expect(each).toBe(share);
  });
});
