import { describe, expect, test } from "vitest";
import { codeHasCome, compiled, countsOf, INSTALLED, ran, within } from "./ranks.js";

const RIGHT = ["create", "allocate", "allocate_shared"].map((kind) => `${kind}: 0 wrong\n`).join("");
const ROUNDS = "60";
/** Of three ranks, whose turns on fewer cores take a time slice each. */
const FEW_ROUNDS = "6";

describe.each(INSTALLED)("pairs of generated types in windows under $name", (mpi) => {
  test.each(["1", "2"])("have what the program knows to be right, natively and by our code: seed %s", (seed) =>
    within(mpi, async (surroundings) => {
      const words = [compiled(surroundings, "pairs.c"), seed, ROUNDS];
      expect(ran(surroundings, 2, words).output).toBe(RIGHT);
      expect(ran(surroundings, 2, words, {}).output).toBe(RIGHT);
      await codeHasCome(surroundings);
      const warm = ran(surroundings, 2, words, {});
      expect(warm.output).toBe(RIGHT);
      expect(countsOf(warm).ourMessages).toBeGreaterThan(Number(ROUNDS) / 2);
      const verified = ran(surroundings, 2, words, { verify: true });
      expect(verified.output).toBe(RIGHT);
      expect(countsOf(verified).differences).toBe(0);
      expect(countsOf(verified).ranges).toBeGreaterThan(Number(ROUNDS) / 2);
      const three = ran(surroundings, 3, [...words.slice(0, 2), FEW_ROUNDS], { verify: true });
      expect([three.output, countsOf(three).differences]).toEqual([RIGHT, 0]);
      expect(countsOf(three).ranges).toBeGreaterThan(0);
    }),
  );
});
