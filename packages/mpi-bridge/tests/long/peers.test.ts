import type { MpiFamily } from "@stowage/mpi-abi";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { ADVICE, compilerOf, installed, launchEach, programFile } from "../launch.js";

const folder = mkdtempSync(join(tmpdir(), "stowage-peer-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const NODE = [process.execPath, programFile("peer")];

/** The C program, built for one MPI; undefined where its compiler is not there. */
function compiled(family: MpiFamily): string | undefined {
  const path = join(folder, family);
  return spawnSync(compilerOf(family), ["-O1", "-o", path, file("peer.c")]).status === 0 ? path : undefined;
}

describe.each<MpiFamily>(["openmpi", "mpich"])("%s", (family) => {
  const program = installed(family) === undefined ? undefined : compiled(family);
  const orders = [
    ["Node first", (peer: string) => [NODE, [peer]]],
    ["C first", (peer: string) => [[peer], NODE]],
  ] as const;
  it.skipIf(program === undefined).each(orders)(
    `a C program is the other end, %s (${ADVICE}, ${compilerOf(family)})`,
    (_, order) => {
      const { status, output } = launchEach(family, order(program as string));
      expect(output).toMatch(/^C: 24 messages, 0 failed, 2 ranks$/m);
      expect(output).toMatch(/^rank \d of 2: 9 passed, 0 failed$/m);
      expect(status, output).toBe(0);
    },
  );
});

/** Debian's is built for Open MPI. */
const hasMpi4py = existsSync("/usr/lib/python3/dist-packages/mpi4py") && installed("openmpi") !== undefined;
it.skipIf(!hasMpi4py)("mpi4py is the other end under Open MPI (node scripts/set-up-long.mjs installs it)", () => {
  const { status, output } = launchEach("openmpi", [NODE, ["/usr/bin/python3", file("peer.py")]]);
  expect(output).toMatch(/^Python: 24 messages, 0 failed, 2 ranks$/m);
  expect(output).toMatch(/^rank \d of 2: 9 passed, 0 failed$/m);
  expect(status, output).toBe(0);
});
