import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { buildLibrary, buildLoader, LIBRARIES } from "../../src/build/build-library.js";
import {
  codeHasCome,
  compiled,
  countsOf,
  INSTALLED,
  ran,
  within,
  type InstalledMpi,
  type Interposing,
} from "./ranks.js";

const PROFILER = fileURLToPath(new URL("profiler.c", import.meta.url));
const TURNS = "3";

const hasLargeCounts = ({ compiler }: InstalledMpi): boolean =>
  spawnSync(compiler, ["-E", "-dM", "-include", "mpi.h", "-x", "c", "/dev/null"], { encoding: "utf8" }).stdout.includes(
    "#define MPI_VERSION 4",
  );

// column.c calls MPI by both names; the profiler has some of the first, and passes them on to the second.
test.each(INSTALLED)(
  "a profiler counts the same under $name before us, behind us and in the program, and we pack",
  (mpi) =>
    within(mpi, async (surroundings) => {
      const { path: library } = await buildLibrary(mpi.compiler);
      const any = { library: await buildLoader(), variables: [`${LIBRARIES.packing}=${mpi.abi}=${library}`] };
      const profiler = join(surroundings.folder, "profiler.so");
      const flags = ["-shared", "-fPIC", "-o", profiler, PROFILER];
      expect(spawnSync(mpi.compiler, flags, { encoding: "utf8" }).stderr).toBe("");
      const plain = compiled(surroundings, "column.c");
      const folder = join(surroundings.folder, "linked");
      mkdirSync(folder);
      const linked = compiled({ ...surroundings, folder }, "column.c", [PROFILER]);
      const alone = ran(surroundings, 2, [plain, TURNS], { isLinked: true, before: profiler }).output;
      expect(alone).toMatch(/profiled 3 commits, 6 packs, 6 exchanges/);
      // Forms with large counts: MPI_Pack_c and MPI_Sendrecv_c in each turn.
      if (hasLargeCounts(mpi)) expect(alone).toMatch(/profiled 6 large/);
      ran(surroundings, 2, [plain, TURNS], { library });
      await codeHasCome(surroundings);
      const ways: readonly (readonly [string, Interposing])[] = [
        [plain, { library, before: profiler }],
        [plain, { library, behind: profiler }],
        [plain, { ...any, before: profiler }],
        [plain, { ...any, behind: profiler }],
        [linked, { library }],
        [linked, any],
      ];
      for (const [program, how] of ways) {
        const run = ran(surroundings, 2, [program, TURNS], { ...how, verify: true });
        expect(run.output).toBe(alone);
        const { ourMessages, nativeBytes, differences } = countsOf(run);
        expect({ nativeBytes, differences }).toEqual({ nativeBytes: 0, differences: 0 });
        expect(ourMessages).toBeGreaterThan(0);
      }
    }),
);
