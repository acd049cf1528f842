import { expect, test } from "vitest";
import { INSTALLED, ran, within } from "../programs/ranks.js";
import { withStandIn } from "./stand-in.js";

/** tests/long runs it on every MPI, by kernels too. */
test.runIf(INSTALLED.length > 0)(
  "an MPI that knows no GPUs receives into memory of a device what it receives on the host",
  () => {
    const [mpi] = INSTALLED;
    if (mpi === undefined) throw new Error("MPI: expected one, got none");
    return within(mpi, (surroundings) => {
      const program = withStandIn(surroundings.folder, mpi, "messages.c");
      const { output } = ran(surroundings, 2, [program, "device", "5"], {});
      expect(output).toBe(ran(surroundings, 2, [program, "host", "5"]).output);
    });
  },
);
