import { describe, expect, test } from "vitest";
import { codeHasCome, compiled, countsOf, INSTALLED, ran, within } from "./ranks.js";

const TIMES = 5;
const RANKS = 2;
const BYTES = 800;
/** Elements of one type Open MPI by itself copies, or goes through, without its convertors: nothing else is ours. */
const KINDS = [
  // Of one put, and of one get, a rank finds out when the MPI moves them.
  { kind: "shared", moves: "puts and gets", ours: 2 * (2 * TIMES - 2), nativeBytes: 2 * BYTES },
  { kind: "allocated", moves: "puts and gets", ours: 2 * (2 * TIMES - 2), nativeBytes: 2 * BYTES },
  // Puts are the MPI's.
  { kind: "created", moves: "gets", ours: 2 * TIMES, nativeBytes: TIMES * 2 * BYTES },
];

describe.each(INSTALLED)("puts and gets of one type under $name", (mpi) => {
  test.each(KINDS)(
    "have the bytes and errors that they have natively: $moves of a window that is $kind by our code",
    (of) =>
      within(mpi, async (surroundings) => {
        const words = [compiled(surroundings, "straight.c"), String(TIMES), of.kind];
        const { output } = ran(surroundings, RANKS, words);
        expect(output).toMatch(/^errors( \d+, \d+;){3} 0 wrong\n$/);
        expect(ran(surroundings, RANKS, words, {}).output).toBe(output);
        await codeHasCome(surroundings);
        for (const verify of [false, true]) {
          const warm = ran(surroundings, RANKS, words, { verify });
          expect(warm.output).toBe(output);
          const { ourMessages, nativeBytes, differences } = countsOf(warm);
          expect(differences).toBe(0);
          if (mpi.family === "openmpi") {
            expect(ourMessages).toBeGreaterThanOrEqual(RANKS * of.ours);
            expect(nativeBytes).toBeLessThanOrEqual(RANKS * of.nativeBytes);
          }
        }
      }),
  );
});
