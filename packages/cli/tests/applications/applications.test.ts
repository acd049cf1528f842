import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { ADVICE, installed, launch } from "../../../mpi-bridge/tests/launch.js";
import type { ApplicationResults } from "../../src/applications/row.js";

const STOWAGE = fileURLToPath(new URL("../../bin/stowage.js", import.meta.url));

// More ranks, both MPIs, the host, and every application: tests/long.
describe.skipIf(installed("openmpi") === undefined)(
  `bench --application on a simulated GPU (${ADVICE} installs MPI)`,
  () => {
    it("leaves what a serial run does, by each way, of odd and unequal parts and late ranks", () => {
      const command =
        "bench --application stencil-2d --device cuda --simulated --uneven --points 13 --element float --json";
      const { status, output } = launch("openmpi", 2, [process.execPath, STOWAGE, ...command.split(" ")]);
      expect(status, output).toBe(0);
      const { rows } = JSON.parse(output.slice(output.indexOf("{"), output.lastIndexOf("}") + 1)) as ApplicationResults;
      expect(rows).toMatchObject([{ application: "stencil-2d", ranks: 2, where: "simulated", verified: true }]);
      expect(Object.keys(rows[0]?.ways ?? {})).toEqual(["persistent", "alltoallv", "copies"]);
    });
  },
);
