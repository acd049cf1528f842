import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { VERSION } from "../../src/version.js";

const C = fileURLToPath(new URL("../../c/store", import.meta.url));
const RUNTIME = fileURLToPath(new URL("../../../../runtime", import.meta.url));
const STORE = ["cache.c", "client.c", "record.c", "say.c", "store.c", "trusted-folder.c"];
const PRELOADED: readonly string[] = ["stale-handles"];
const WARNINGS = ["-std=gnu11", "-Wall", "-Wextra", "-Wconversion", "-Werror"];
export const SANITIZERS = ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

export const hasCompiler = spawnSync("gcc", ["--version"]).status === 0;

/**
 * Compiles a file of tests/store, to be preloaded or a program, with the store or its file of that name; returns its
 * path.
 */
export function buildProgram(folder: string, name: string, flags: readonly string[] = []): string {
  const program = join(folder, name);
  const missing = STORE.filter((file) => !readdirSync(C).includes(file));
  if (missing.length > 0) throw new Error(`c/store: expected ${missing.join(", ")}, got none`);
  const alone = readdirSync(C).includes(`${name}.c`) ? [join(C, `${name}.c`)] : [];
  const store = name === "rank" ? [...STORE.map((file) => join(C, file)), join(RUNTIME, "stowage.c")] : alone;
  const own = fileURLToPath(new URL(`./${name}.c`, import.meta.url));
  const includes = [`-I${C}`, `-I${RUNTIME}`, `-DSTOWAGE_VERSION="${VERSION}"`];
  const kind = PRELOADED.includes(name) ? ["-shared", "-fPIC"] : flags;
  const args = [...WARNINGS, ...kind, ...includes, "-o", program, own, ...store, "-lpthread"];
  const { status, stderr } = spawnSync("gcc", args, { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return program;
}
