import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { withStandIn } from "../device/stand-in.js";
import { INSTALLED, ran, startServiceIn } from "../programs/ranks.js";
import { inFolder } from "../service/in-folder.js";

const SOURCE = fileURLToPath(new URL("../device/aware.c", import.meta.url));

describe.each(INSTALLED)("$name, behind a library that knows GPUs", (mpi) => {
  test("elements that lie side by side are handed to it where they are; others are packed", () =>
    inFolder(async (folder) => {
      const service = await startServiceIn(folder);
      try {
        const surroundings = { mpi, folder, service };
        const words = (how: string): readonly string[] => [withStandIn(folder, mpi, "messages.c"), how, "5"];
        const behind = join(folder, "libaware.so");
        const flags = ["-std=gnu11", "-shared", "-fPIC", "-o", behind, SOURCE];
        expect(spawnSync(mpi.compiler, flags, { encoding: "utf8" }).stderr).toBe("");
        const { output, errors } = ran(surroundings, 2, words("device"), { behind });
        expect(output).toBe(ran(surroundings, 2, words("host")).output);
        const handed = [...errors.matchAll(/aware: (\d+) buffers of devices/g)].map(([, count]) => Number(count));
        // Both sides of a Sendrecv of MPI_DOUBLE.
        expect(handed.filter((count) => count > 0)).toEqual([2, 2]);
      } finally {
        service.process?.kill("SIGKILL");
      }
    }));
});
