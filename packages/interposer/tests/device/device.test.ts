import { expect, test } from "vitest";
import { INSTALLED, ran, startServiceIn } from "../programs/ranks.js";
import { inFolder } from "../service/in-folder.js";
import { withStandIn } from "./stand-in.js";

/** tests/long runs it on every MPI, by kernels too. */
test.runIf(INSTALLED.length > 0)(
  "an MPI that knows no GPUs receives into memory of a device what it receives on the host",
  () =>
    inFolder(async (folder) => {
      const [mpi] = INSTALLED;
      if (mpi === undefined) throw new Error("MPI: expected one, got none");
      const service = await startServiceIn(folder);
      try {
        const surroundings = { mpi, folder, service };
        const program = withStandIn(folder, mpi, "messages.c");
        const { output } = ran(surroundings, 2, [program, "device", "5"], {});
        expect(output).toBe(ran(surroundings, 2, [program, "host", "5"]).output);
      } finally {
        service.process?.kill("SIGKILL");
      }
    }),
);
