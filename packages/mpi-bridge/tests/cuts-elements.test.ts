import type { Mpi } from "@stowage/mpi-abi";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { cutsElements } from "../src/message/datatype/cuts-elements.js";
import { ADVICE, compilerOf, installed, launchEach, programFile } from "./launch.js";

const mpi = (family: Mpi["family"], version: string, description: string): Mpi =>
  ({ family, version, description }) as Mpi;

it("MPICH over UCX before 4.2 cuts elements, later ones where they are asked to", () => {
  const ucx = "MPICH Version: 4\nMPICH Device:\tch4:ucx\n";
  expect(cutsElements(mpi("mpich", "4.0.2", ucx), {})).toBe(true);
  expect(cutsElements(mpi("mpich", "3.4", ucx), {})).toBe(true);
  expect(cutsElements(mpi("mpich", "4.2.0", ucx), {})).toBe(false);
  expect(cutsElements(mpi("mpich", "5.0.0", ucx), { MPIR_CVAR_UCX_DT_RECV: "1" })).toBe(true);
  expect(cutsElements(mpi("mpich", "4.0.2", ucx.replace("ucx", "ofi")), {})).toBe(false);
  expect(cutsElements(mpi("openmpi", "4.1.4", "Open MPI v4.1.4"), {})).toBe(false);
});

const SOURCE = fileURLToPath(new URL("struct-peer.c", import.meta.url));
const hasCompiler = spawnSync(compilerOf("mpich"), ["--version"]).status === 0;

it.skipIf(installed("mpich") === undefined || !hasCompiler)(
  `a C program under MPICH receives structs of several basic types (${ADVICE})`,
  () => {
    const folder = mkdtempSync(join(tmpdir(), "stowage-struct-peer-"));
    try {
      const peer = join(folder, "peer");
      expect(spawnSync(compilerOf("mpich"), ["-o", peer, SOURCE]).status).toBe(0);
      const { status, output } = launchEach("mpich", [[process.execPath, programFile("struct-peer")], [peer]]);
      expect(output).toContain("C: 24 messages, 0 failed");
      expect(status, output).toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
