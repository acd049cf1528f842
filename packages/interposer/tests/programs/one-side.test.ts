import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { codeHasCome, compiled, INSTALLED, ran, within, type Surroundings } from "./ranks.js";

/** Rank 0 sends, rank 1 receives; one of both, or both, by our code. */
function oneSide(
  { mpi, folder, library, service }: Surroundings,
  words: readonly string[],
  ours: readonly number[],
): string {
  const [launcher = "", ...own] = mpi.launch;
  const env = ["env", `STOWAGE_CACHE=${folder}/cache`, `STOWAGE_SERVICE=${service.path}`, `LD_PRELOAD=${library}`];
  // By a shell that asks which rank it is: the launcher of Open MPI 5.0.7 in Debian crashes where it is given two
  // programs.
  const ranks = [0, 1].map((i) => `${i}) exec ${[...(ours.includes(i) ? env : []), ...words].join(" ")};;`);
  const script = `case "\${OMPI_COMM_WORLD_RANK-$PMI_RANK}" in ${ranks.join(" ")} esac`;
  const { stdout, stderr } = spawnSync(launcher, [...own, "-n", "2", "sh", "-c", script], {
    encoding: "utf8",
    timeout: Number(process.env["STOWAGE_HANG_MS"]),
    env: { ...process.env, OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1" },
  });
  return stdout === "" ? stderr : stdout.trim();
}

const ALL_CAME = "50 messages: 0 failed, 0 others";

// MPICH cuts contiguous messages inside basic elements, and its unpack takes no part of one: what is sent packed or as
// bytes to a struct of several basic types fails there. What a type sends is cut between elements, by our code too.
describe.each(INSTALLED)("elements of {double; int} of 12 to 36 KB under $name", (mpi) => {
  test("arrive from our sender at a native receiver, and by whatever way at our receiver", () =>
    within(mpi, async (surroundings) => {
      const program = compiled(surroundings, "one-side.c");
      ran(surroundings, 2, [program, "typed"], {});
      await codeHasCome(surroundings);
      for (const ours of [[0], [1], [0, 1]]) expect(oneSide(surroundings, [program, "typed"], ours)).toBe(ALL_CAME);
      for (const how of ["packed", "bytes"])
        for (const ours of [[1], [0, 1]]) expect(oneSide(surroundings, [program, how], ours), how).toBe(ALL_CAME);
    }));
});
