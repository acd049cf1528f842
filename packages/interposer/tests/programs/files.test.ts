import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { codeHasCome, compiled, countsOf, INSTALLED, ran, within } from "./ranks.js";

const KINDS = 15;
const ROUNDS = "3";

const ofKinds = (output: string): readonly string[] => output.match(/^.* wrong$/gm) ?? [];
const external32 = (output: string): string | undefined => /^external32: .*$/m.exec(output)?.[0];

// What is right is known without the MPI: MPICH 4.0.2 by itself writes other bytes by MPI_File_write_at, and never
// returns from MPI_File_write_shared, where the elements in memory have gaps.
describe.each(INSTALLED)("files under $name", (mpi) => {
  test("are read and written by our code in every call, which --verify compares, but for other representations", () =>
    within(mpi, async (surroundings) => {
      const words = [compiled(surroundings, "files.c"), join(surroundings.folder, "file"), "1", ROUNDS];
      const native = ran(surroundings, 1, [words[0] as string, join(surroundings.folder, "native"), "1", "0"]);
      ran(surroundings, 2, [...words, "commit"], {});
      await codeHasCome(surroundings);
      const warm = ran(surroundings, 2, words, { verify: true });
      const kinds = ofKinds(warm.output);
      expect(kinds).toHaveLength(KINDS);
      for (const kind of kinds) expect(kind).toMatch(/: 0 files, 0 memories, 0 statuses wrong$/);
      expect(external32(warm.output)).toBe(external32(native.output));
      const { ourMessages, ourBytes, nativeBytes, ranges, differences } = countsOf(warm);
      expect(differences).toBe(0);
      // Two calls and two of MPI_Pack and MPI_Unpack a kind, a round and a rank, at the least.
      expect(ourMessages).toBeGreaterThan(4 * KINDS * Number(ROUNDS));
      expect(ranges).toBeGreaterThan(4 * KINDS * Number(ROUNDS));
      expect(ourBytes).toBeGreaterThan(4 * nativeBytes);
    }));
});
