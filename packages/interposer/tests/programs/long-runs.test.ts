import { describe, expect, test } from "vitest";
import { codeHasCome, compiled, countsOf, INSTALLED, ran, within } from "./ranks.js";

const MESSAGES_OF_BOTH_RANKS = 8;

// From which length on, by release of Open MPI: c/mpi/openmpi/convertor-layout.c.
describe.each(INSTALLED)("types of long contiguous runs under $name", (mpi) => {
  test("are left to an MPI that copies them as fast, which is said, and shorter ones are not", () =>
    within(mpi, async (surroundings) => {
      const program = compiled(surroundings, "long-runs.c");
      const lengths = ["1000", "20000"];
      for (const length of lengths) ran(surroundings, 2, [program, length], {});
      await codeHasCome(surroundings);
      const [short, long] = lengths.map((length) => {
        const told = ran(surroundings, 2, [program, length], {});
        expect(told.output).toBe("0 wrong\n");
        return { ...countsOf(told), left: told.errors.match(/4 of the native messages have contiguous runs/g)?.length };
      });
      expect(short).toMatchObject({ ourMessages: MESSAGES_OF_BOTH_RANKS, nativeBytes: 0, left: undefined });
      expect(long).toMatchObject(
        mpi.family === "openmpi"
          ? { ourMessages: 0, left: 2 }
          : { ourMessages: MESSAGES_OF_BOTH_RANKS, nativeBytes: 0, left: undefined },
      );
    }));
});
