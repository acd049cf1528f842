import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const RUNTIME = fileURLToPath(new URL("../../../../runtime", import.meta.url));
export const hasCompiler = spawnSync("gcc", ["--version"]).status === 0;

const STAND_IN = fileURLToPath(new URL("../../../interposer/tests/device/libcuda.c", import.meta.url));
const WARNINGS = [
  "-std=c11",
  "-Wall",
  "-Wextra",
  "-Wconversion",
  "-Wshadow",
  "-Wstrict-prototypes",
  "-Wpedantic",
  "-Werror",
];
const SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g", "-O1"];

/** Compiles a test's C file with the runtime's headers; what the compiler said. */
export function build(compiler: string, source: string, program: string, more: readonly string[] = []): string {
  const file = fileURLToPath(new URL(source, import.meta.url));
  const args = [...WARNINGS, `-I${RUNTIME}`, "-o", program, file, ...more];
  return spawnSync(compiler, args, { encoding: "utf8" }).stderr;
}

/** A sanitized program over the stand-in for the CUDA driver, which lies in `folder`. */
export function buildWithDriver(source: string, program: string, folder: string): string {
  const driver = join(folder, "libcuda.so.1");
  const shared = ["-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", ...SANITIZERS, "-o", driver, STAND_IN];
  const { stderr } = spawnSync("gcc", ["-std=gnu11", ...shared], { encoding: "utf8" });
  const more = [...SANITIZERS, join(RUNTIME, "stowage_cuda.c"), driver, `-Wl,-rpath,${folder}`, "-ldl"];
  return stderr + build("gcc", source, program, more);
}

export const withRuntime = (): readonly string[] => [...SANITIZERS, join(RUNTIME, "stowage.c")];
