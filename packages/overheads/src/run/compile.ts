import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Program } from "../experiment/experiment.js";

const SOURCES = fileURLToPath(new URL("../../c/", import.meta.url));
const FLAGS = ["-O2", "-w"];

/**
 * Compiles a program of the folder c with an MPI's own compiler; returns its file. Throws one line where that fails.
 */
export function compileProgram(compiler: string, program: Program, folder: string): string {
  const out = join(folder, program.name);
  const source = join(SOURCES, `${program.name}.c`);
  const libraries = [...(program.libraries ?? []), "-lm", "-pthread"];
  const { status, stderr, error } = spawnSync(compiler, [...FLAGS, "-o", out, source, ...libraries], {
    encoding: "utf8",
  });
  if (status === 0) return out;
  const [line = "nothing"] = (error?.message ?? stderr).trim().split("\n");
  throw new Error(`${compiler} of ${program.name}.c: expected to compile it, got ${line}`);
}
