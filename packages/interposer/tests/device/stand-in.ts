import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { InstalledMpi } from "../programs/ranks.js";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));

function compile(compiler: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(compiler, ["-std=gnu11", "-O1", ...args], { encoding: "utf8" });
  if (status !== 0) throw new Error(`${compiler} ${args.join(" ")}: ${stderr}`);
}

/**
 * Compiles a program of this folder against the stand-in for the CUDA driver, which it finds in `folder`; returns its
 * path.
 */
export function withStandIn(folder: string, mpi: InstalledMpi, source: string): string {
  const driver = join(folder, "libcuda.so.1");
  const program = join(folder, `${source.replace(/\..*/, "")}-${mpi.name}`);
  compile("gcc", ["-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", "-o", driver, join(FOLDER, "libcuda.c")]);
  compile(mpi.compiler, ["-o", program, join(FOLDER, source), driver, `-Wl,-rpath,${folder}`]);
  return program;
}
