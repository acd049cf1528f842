import type { MpiFamily } from "@stowage/mpi-abi";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { describeProgram } from "../describe-programs.js";
import { ADVICE, compilerOf, installed, launch, programFile } from "../launch.js";

describeProgram("windows-and-files", [1, 2, 4]);

const SOURCE = fileURLToPath(new URL("file-peer.c", import.meta.url));
const hasCompiler = (family: MpiFamily): boolean => spawnSync(compilerOf(family), ["--version"]).status === 0;

describe.each<MpiFamily>(["openmpi", "mpich"])(
  `files under %s (${ADVICE} installs it, with its compiler)`,
  (family) => {
    for (const ranks of [1, 2, 4]) {
      it.skipIf(installed(family) === undefined || !hasCompiler(family))(
        `what a C program on ${ranks} ranks writes is read, and it reads what is written`,
        () => {
          const folder = mkdtempSync(join(tmpdir(), "stowage-file-peer-"));
          try {
            const program = join(folder, "peer");
            expect(spawnSync(compilerOf(family), ["-o", program, SOURCE]).status).toBe(0);
            const node = (act: string, path: string, route: string) =>
              launch(family, ranks, [process.execPath, programFile("file-peer"), act, path, route]);
            for (const route of ["packed", "native"]) {
              const theirs = join(folder, `theirs-${route}`);
              const ours = join(folder, `ours-${route}`);
              expect(launch(family, ranks, [program, "write", theirs]).status).toBe(0);
              const read = node("read", theirs, route);
              expect(read.output).toContain(`rank ${ranks - 1} of ${ranks}: 1 passed, 0 failed`);
              expect(read.status, read.output).toBe(0);
              expect(node("write", ours, route).status).toBe(0);
              const { status, output } = launch(family, ranks, [program, "read", ours]);
              expect(status, output).toBe(0);
              expect(output).toContain(`rank ${ranks - 1} of ${ranks}: 0 wrong`);
            }
          } finally {
            rmSync(folder, { recursive: true });
          }
        },
      );
    }
  },
);
