import { describe, expect, test } from "vitest";
import { countsOf, INSTALLED, ran, within, type Ran } from "../programs/ranks.js";
import { withStandIn } from "../device/stand-in.js";

const LONGEST_MS = 600_000;
const MOST_RUNS = 20;
const SEED = "5";

/**
 * The service goes on compiling when a program has ended: runs again until nine tenths of the bytes go by our kernels.
 */
function whenCodeIsThere(run: () => Ran): Ran {
  for (let runs = 1; ; runs++) {
    const ran = run();
    const { ourBytes, nativeBytes } = countsOf(ran);
    if (ourBytes > 9 * nativeBytes || runs === MOST_RUNS) return ran;
  }
}

describe.each(INSTALLED)("$name, without knowledge of GPUs", (mpi) => {
  test(
    "a program receives the same bytes in memory of a device, run by run, and by kernels, which --verify compares",
    () =>
      within(mpi, (surroundings) => {
        const program = withStandIn(surroundings.folder, mpi, "messages.c");
        const words = (how: string): readonly string[] => [program, how, SEED];
        const onHost = ran(surroundings, 2, words("host"));
        const cold = ran(surroundings, 2, words("device"), {});
        const warm = whenCodeIsThere(() => ran(surroundings, 2, words("device"), { verify: true }));
        const mixed = ran(surroundings, 3, words("mixed"), {});
        expect(cold.output).toBe(onHost.output);
        expect(warm.output).toBe(onHost.output);
        expect(mixed.output).toBe(ran(surroundings, 3, words("host")).output);
        const { ourBytes, nativeBytes, ranges, differences } = countsOf(warm);
        expect(differences).toBe(0);
        expect(ourBytes).toBeGreaterThan(9 * nativeBytes);
        expect(ranges).toBeGreaterThan(100);
      }),
    LONGEST_MS,
  );
});
