import { describe, expect, test } from "vitest";
import { codeHasCome, countsOf, INSTALLED, ran, within, type Ran } from "../programs/ranks.js";
import { withStandIn } from "../device/stand-in.js";

const LONGEST_MS = 600_000;
const SEED = "5";
/** A rank waits for no service: what a busy one does not take is asked for again by the next run. */
const MOST_RUNS = 5;

function isMostlyOurs(warm: Ran): boolean {
  const { ourBytes, nativeBytes } = countsOf(warm);
  return ourBytes > 9 * nativeBytes;
}

describe.each(INSTALLED)("$name, without knowledge of GPUs", (mpi) => {
  test(
    "a program receives the same bytes in memory of a device, run by run, and by kernels, which --verify compares",
    () =>
      within(mpi, async (surroundings) => {
        const program = withStandIn(surroundings.folder, mpi, "messages.c");
        const words = (how: string): readonly string[] => [program, how, SEED];
        const onHost = ran(surroundings, 2, words("host"));
        const cold = ran(surroundings, 2, words("device"), {});
        await codeHasCome(surroundings);
        let warm = ran(surroundings, 2, words("device"), { verify: true });
        for (let runs = 1; runs < MOST_RUNS && !isMostlyOurs(warm); runs++) {
          await codeHasCome(surroundings);
          warm = ran(surroundings, 2, words("device"), { verify: true });
        }
        const mixed = ran(surroundings, 3, words("mixed"), {});
        expect(cold.output).toBe(onHost.output);
        expect(warm.output).toBe(onHost.output);
        expect(mixed.output).toBe(ran(surroundings, 3, words("host")).output);
        const { ranges, differences } = countsOf(warm);
        expect(differences).toBe(0);
        expect(isMostlyOurs(warm)).toBe(true);
        expect(ranges).toBeGreaterThan(100);
      }),
    LONGEST_MS,
  );
});
