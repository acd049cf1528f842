import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { withStandIn } from "../device/stand-in.js";
import { codeHasCome, countsOf, INSTALLED, ran, within } from "../programs/ranks.js";

const SOURCE = fileURLToPath(new URL("../device/fortran.f90", import.meta.url));
const hasFortran = spawnSync("gfortran", ["--version"]).status === 0;
const LONGEST_MS = 300_000;

describe.runIf(hasFortran).each(INSTALLED)("$name, from Fortran", (mpi) => {
  // mpi_f08 of an MPI before 4.0 has no large counts. MPICH's MPI_Neighbor_alltoallw of mpi_f08 takes distributed
  // graphs alone (4.0.2: it asks MPI_Dist_graph_neighbors_count).
  const large = mpi.family === "mpich" ? ["-DLARGE_COUNTS", "-DONLY_GRAPHS"] : [];

  test.each([["WITH_MPIF"], ["WITH_MODULE"], ["WITH_F08", ...large]])(
    "%s: each kind of call reaches the names that we stand in front of",
    (...words) =>
      within(mpi, async (surroundings) => {
        const { folder } = surroundings;
        withStandIn(folder, mpi, "messages.c");
        const program = join(folder, "fortran");
        const defined = words.map((word) => (word.startsWith("-D") ? word : `-D${word}`));
        const flags = ["-cpp", ...defined, "-ffree-line-length-none", "-J", folder, "-o", program, SOURCE];
        const { stderr } = spawnSync(
          mpi.compiler.replace("mpicc", "mpif90"),
          [...flags, join(folder, "libcuda.so.1"), `-Wl,-rpath,${folder}`],
          { encoding: "utf8" },
        );
        expect(stderr).toBe("");
        const onHost = ran(surroundings, 2, [program, "host"]).output;
        expect(onHost).toContain("Unpack");
        expect(ran(surroundings, 2, [program, "device"], {}).output).toBe(onHost);
        await codeHasCome(surroundings);
        const warm = ran(surroundings, 2, [program, "device"], { verify: true });
        expect(warm.output).toBe(onHost);
        expect(countsOf(warm)).toMatchObject({ nativeBytes: 0, differences: 0 });
        expect(countsOf(warm).ourMessages).toBeGreaterThan(20);
      }),
    LONGEST_MS,
  );
});
