import type { MpiFamily } from "@stowage/mpi-abi";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { ADVICE, compilerOf, installed, launch, launchEach, programFile, type Run } from "./launch.js";
import { losesStatuses } from "./loses-statuses.js";

// Windows, files and reductions where the other rank is no program of this package.

const folder = mkdtempSync(join(tmpdir(), "stowage-others-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const WHAT = ["window", "file", "reduction"] as const;
/** What is told where a program says nothing of the other rank. */
const TOLD: Readonly<Record<(typeof WHAT)[number], RegExp>> = {
  window: /^BridgeError: window: expected programs of this package as all ranks, or \{ peers: "any" \}, got /m,
  file: /^BridgeError: file ".+": expected programs of this package as all ranks, or \{ peers: "any" \}, got /m,
  reduction:
    /^BridgeError: allreduce by .+: expected programs .+, or settings\.operations of "mpi" among others, got /m,
};

function compiled(family: MpiFamily): string | undefined {
  const path = join(folder, family);
  return spawnSync(compilerOf(family), ["-o", path, file("others-peer.c")]).status === 0 ? path : undefined;
}

/** What C programs see of it: the operation of the reductions, which some releases do wrong. */
const isOperationRight = (family: MpiFamily, program: string): boolean =>
  launch(family, 1, [program, "operation"]).output.includes("C: operation is right");

/** `peers`: what the program of this package says of the other, and its time limit in milliseconds. */
function beside(family: MpiFamily, peer: readonly string[], what: string, ...peers: readonly string[]): Run {
  const path = join(folder, `file-${family}`);
  rmSync(path, { force: true });
  const node = [process.execPath, programFile("others"), what, path, ...peers];
  return launchEach(family, [node, [...peer, what, path]]);
}

describe.each<MpiFamily>(["openmpi", "mpich"])("beside a C program under %s", (family) => {
  const program = installed(family) === undefined ? undefined : compiled(family);
  it.skipIf(program === undefined).each(WHAT)(`a %s is the same on both (${ADVICE}, with its mpicc)`, (what) => {
    const { status, output } = beside(family, [program as string], what, "any");
    expect(output).toContain(`Node: ${what} is right`);
    expect(output).toContain(`C: ${what} is right`);
    expect(status, output).toBe(0);
  });

  it.skipIf(program === undefined).each(WHAT)("a %s of programs of this package alone is refused in a line", (what) => {
    const peer = program as string;
    if (what === "reduction" && isOperationRight(family, peer)) {
      // The MPI's own call is taken, as C programs make it: there is nothing to refuse.
      const { status, output } = beside(family, [peer], what, "ours");
      expect(output).toContain("Node: reduction is right");
      expect(status, output).toBe(0);
      return;
    }
    const { status, output } = beside(family, [peer], what, "ours", "1000");
    expect(output).toMatch(TOLD[what]);
    expect(status !== 0 || losesStatuses(family), output).toBe(true);
  });
});

/** Debian's is built for Open MPI. */
const hasMpi4py = existsSync("/usr/lib/python3/dist-packages/mpi4py") && installed("openmpi") !== undefined;
it.skipIf(!hasMpi4py).each(["window", "file"] as const)(
  "a %s beside mpi4py's under Open MPI is the same on both",
  (what) => {
    const { status, output } = beside("openmpi", ["/usr/bin/python3", file("others-peer.py")], what, "any");
    expect(output).toContain(`Node: ${what} is right`);
    expect(output).toContain(`Python: ${what} is right`);
    expect(status, output).toBe(0);
  },
);
