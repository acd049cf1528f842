import { describe, expect, test } from "vitest";
import { codeHasCome, countsOf, INSTALLED, ran, within } from "../programs/ranks.js";
import { withStandIn } from "../device/stand-in.js";

const LONGEST_MS = 600_000;
const SEED = "5";

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
        const warm = ran(surroundings, 2, words("device"), { verify: true });
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
