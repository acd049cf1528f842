import { expect, test } from "vitest";
import { codeHasCome, compiled, countsOf, INSTALLED, ran, within } from "./ranks.js";

const RIGHT = "0 wrong, 0 lost\n".repeat(2);

test.each(INSTALLED)(
  "--verify under $name writes no byte between a type's, and takes no padding for a difference",
  (mpi) =>
    within(mpi, async (surroundings) => {
      const program = compiled(surroundings, "gaps.c", ["-lpthread"]);
      expect(ran(surroundings, 2, [program, "1"], {}).output).toBe(RIGHT);
      await codeHasCome(surroundings);
      const run = ran(surroundings, 2, [program, "100"], { verify: true });
      expect(run.output).toBe(RIGHT);
      const { ourMessages, ranges, differences, nativeBytes } = countsOf(run);
      expect({ differences, nativeBytes }).toEqual({ differences: 0, nativeBytes: 0 });
      expect(ourMessages).toBeGreaterThan(100);
      expect(ranges).toBeGreaterThan(2 * 100);
    }),
);
