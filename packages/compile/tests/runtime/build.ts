import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const RUNTIME = fileURLToPath(new URL("../../../../runtime", import.meta.url));
export const hasCompiler = spawnSync("gcc", ["--version"]).status === 0;

const WARNINGS = ["-std=c11", "-Wall", "-Wextra", "-Wconversion", "-Wpedantic", "-Werror"];
const SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g", "-O1"];

/** Compiles a test's C file with the runtime's headers; what the compiler said. */
export function build(compiler: string, source: string, program: string, more: readonly string[] = []): string {
  const file = fileURLToPath(new URL(source, import.meta.url));
  const args = [...WARNINGS, `-I${RUNTIME}`, "-o", program, file, ...more];
  return spawnSync(compiler, args, { encoding: "utf8" }).stderr;
}

export const withRuntime = (): readonly string[] => [...SANITIZERS, join(RUNTIME, "stowage.c")];
export const SANITIZED: readonly string[] = SANITIZERS;
