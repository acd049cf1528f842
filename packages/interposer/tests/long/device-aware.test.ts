import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { withStandIn } from "../device/stand-in.js";
import { INSTALLED, ran, within } from "../programs/ranks.js";

const SOURCE = fileURLToPath(new URL("../device/aware.c", import.meta.url));

describe.each(INSTALLED)("$name, behind a library that knows GPUs", (mpi) => {
  test("elements that lie side by side are handed to it where they are; others are packed", () =>
    within(mpi, (surroundings) => {
      const words = (how: string): readonly string[] => [withStandIn(surroundings.folder, mpi, "messages.c"), how, "5"];
      const behind = join(surroundings.folder, "libaware.so");
      const flags = ["-std=gnu11", "-shared", "-fPIC", "-o", behind, SOURCE];
      expect(spawnSync(mpi.compiler, flags, { encoding: "utf8" }).stderr).toBe("");
      const { output, errors } = ran(surroundings, 2, words("device"), { behind });
      expect(output).toBe(ran(surroundings, 2, words("host")).output);
      const handed = [...errors.matchAll(/aware: (\d+) buffers of devices/g)].map(([, count]) => Number(count));
      // Both sides of a Sendrecv of MPI_DOUBLE, and two of Sendrecv_replace.
      expect(handed.filter((count) => count > 0)).toEqual([4, 4]);
    }));
});
