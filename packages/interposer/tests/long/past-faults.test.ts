import { describe, expect, test } from "vitest";
import { buildLibrary } from "../../src/index.js";
import { codeHasCome, compiled, INSTALLED, ran, within } from "../programs/ranks.js";

const MOST_SECONDS = "20";
const ON = { variables: ["STOWAGE_HOST_ROUTE=65536"] };
const PAST = /rank 0: sent 1 messages of 480000 bytes past the MPI/;

describe.each(INSTALLED.filter(({ family }) => family === "openmpi"))("$name", (mpi) => {
  test("a process that ends in the middle of a message past the MPI is an error of its receive, and holds up no send", () =>
    within(mpi, async (surroundings) => {
      const program = compiled(surroundings, "past-faults.c");
      ran(surroundings, 2, [program], ON);
      await codeHasCome(surroundings);
      expect(ran(surroundings, 2, [program], ON).errors).toMatch(PAST);
      // Launchers of later releases end the other rank as well, whatever they are told, and need longer files.
      if (!(await buildLibrary(mpi.compiler)).mpi.version.startsWith("4.")) return;
      // A file may be as long as the MPI needs, and not as the memory that others pack into.
      const short = ran(surroundings, 2, ["prlimit", "--fsize=8000000", program], ON);
      expect(short.errors).not.toMatch(PAST);
      const lives = { ...surroundings, mpi: { ...mpi, launch: [...mpi.launch, "--enable-recovery"] } };
      const go = (step: string) =>
        ran(lives, 2, ["sh", "-c", `timeout ${MOST_SECONDS} '${program}' ${step}; sleep 2`], ON);
      const packing = go("packing");
      expect(packing.output).toBe("MPI_ERR_OTHER\n");
      expect(packing.errors).toMatch(
        /^stowage: a message of process \d+: expected 480000 bytes, got \d+ before it ended$/m,
      );
      expect(go("taking").output).toBe("30 sends have begun\n");
    }));
});
