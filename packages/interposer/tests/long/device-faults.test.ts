import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { buildLibrary } from "../../src/index.js";
import { tableOf } from "../device/routes.js";
import { withStandIn } from "../device/stand-in.js";
import { INSTALLED, startServiceIn } from "../programs/ranks.js";
import { inFolder } from "../service/in-folder.js";

const LONGEST_MS = 600_000;
const RIGHT = "0 bytes wrong\n";
const LOST = `buffer\n${RIGHT}`;

/** A case of faults.c, what the stand-in is told, and what the program says. */
const CASES = [
  { which: "plain", told: {}, said: RIGHT, line: undefined },
  { which: "managed", told: {}, said: RIGHT, line: undefined },
  { which: "pool", told: {}, said: RIGHT, line: undefined },
  { which: "contexts", told: {}, said: RIGHT, line: undefined },
  { which: "freed", told: {}, said: LOST, line: /expected memory of its device, got it freed/ },
  { which: "destroyed", told: {}, said: LOST, line: /expected memory of its device, got it freed/ },
  { which: "plain", told: { STANDIN_PINS_NOTHING: "1" }, said: RIGHT, line: undefined },
  { which: "plain", told: { STANDIN_REFUSES_PTX: "1" }, said: RIGHT, line: undefined },
];

describe.each(INSTALLED)("$name, without knowledge of GPUs", (mpi) => {
  test("receives that one Waitall completes are unpacked by one launch", () =>
    inFolder(async (folder) => {
      const service = await startServiceIn(folder);
      const program = withStandIn(folder, mpi, "faults.c");
      const ours = { LD_PRELOAD: (await buildLibrary(mpi.compiler)).path, STOWAGE_CACHE: join(folder, "cache") };
      const asRoot = { OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1" };
      const env = { ...process.env, ...asRoot, ...ours, STOWAGE_SERVICE: service.path };
      try {
        let said = "";
        // Without code, run by run, there are no launches.
        for (let runs = 0; runs < 20 && !said.startsWith("1 "); runs++)
          said = spawnSync(program, ["together"], { env, encoding: "utf8" }).stdout;
        expect(said).toBe("1 launches, 0 bytes wrong\n");
      } finally {
        service.process?.kill("SIGKILL");
      }
    }));

  test(
    "memory that is managed, pooled, another context's, freed or destroyed: right bytes, or MPI's class and one line",
    () =>
      inFolder(async (folder) => {
        const service = await startServiceIn(folder);
        const program = withStandIn(folder, mpi, "faults.c");
        const ours = { LD_PRELOAD: (await buildLibrary(mpi.compiler)).path, STOWAGE_CACHE: join(folder, "cache") };
        const asRoot = { OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1" };
        try {
          // Without code at first, run by run; by kernels when the service has answered, by each route.
          for (const turn of ["cold", "one-shot", "device", "pipelined"])
            for (const { which, told, said, line } of CASES) {
              const routes =
                turn === "cold" ? {} : { STOWAGE_DEVICE_ROUTES: tableOf(folder, ["launch 1", `route 0 0 ${turn}`]) };
              const env = { ...process.env, ...asRoot, ...ours, ...told, ...routes, STOWAGE_SERVICE: service.path };
              const { stdout, stderr } = spawnSync(program, [which], { env, encoding: "utf8", timeout: 20_000 });
              expect({ turn, which, told, stdout }).toEqual({ turn, which, told, stdout: said });
              const lines = stderr.split("\n").filter((each) => each.startsWith("stowage:"));
              expect(lines).toHaveLength(line === undefined ? 0 : 1);
              if (line !== undefined) expect(lines[0]).toMatch(line);
            }
        } finally {
          service.process?.kill("SIGKILL");
        }
      }),
    LONGEST_MS,
  );
});
