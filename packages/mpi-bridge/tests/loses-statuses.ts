import type { MpiFamily } from "@stowage/mpi-abi";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compilerOf, launch } from "./launch.js";

const SOURCE = fileURLToPath(new URL("leaver.c", import.meta.url));
/** It does so now and then: of MPICH 4.2.1's launcher in one run of three. */
const RUNS = 60;

/**
 * Whether the launcher of an MPI says 0 of a C program, too, whose rank leaves with 1 before MPI_Finalize. To be asked
 * where it said 0 of ours: it takes up to as many runs.
 */
export function losesStatuses(family: MpiFamily): boolean {
  const folder = mkdtempSync(join(tmpdir(), "stowage-leaver-"));
  try {
    const program = join(folder, "leaver");
    if (spawnSync(compilerOf(family), ["-o", program, SOURCE]).status !== 0) return false;
    for (let run = 0; run < RUNS; run++) if (launch(family, 2, [program]).status === 0) return true;
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
