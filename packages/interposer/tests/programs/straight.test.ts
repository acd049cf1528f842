import { describe, expect, test } from "vitest";
import { codeHasCome, compiled, countsOf, INSTALLED, ran, within } from "./ranks.js";

const TIMES = "5";
const RANKS = 2;
/** Of one put, and of one get, by which a rank finds out when the MPI moves them. */
const BYTES_OF_TRIALS = 2 * 800;

describe.each(INSTALLED)("puts and gets of one type in a shared window under $name", (mpi) => {
  test("move as natively, with the same errors; straight between both sides where the MPI moves them in the call", () =>
    within(mpi, async (surroundings) => {
      const words = [compiled(surroundings, "straight.c"), TIMES];
      const { output } = ran(surroundings, RANKS, words);
      expect(output).toMatch(/^0 wrong; errors \d+, \d+, \d+\n$/);
      expect(ran(surroundings, RANKS, words, {}).output).toBe(output);
      await codeHasCome(surroundings);
      for (const verify of [false, true]) {
        const warm = ran(surroundings, RANKS, words, { verify });
        expect(warm.output).toBe(output);
        const { ourMessages, nativeBytes, differences } = countsOf(warm);
        expect(differences).toBe(0);
        // Elements of one type Open MPI by itself copies without its convertors, so that nothing else is ours.
        if (mpi.family === "openmpi") {
          expect(ourMessages).toBeGreaterThanOrEqual(RANKS * 2 * (2 * Number(TIMES) - 2));
          expect(nativeBytes).toBeLessThanOrEqual(RANKS * BYTES_OF_TRIALS);
        }
      }
    }));
});
