import { spawnSync } from "node:child_process";
import { codeSources } from "@stowage/libstowage";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { VERSION } from "../../src/version.js";

const C = fileURLToPath(new URL("../../c/store", import.meta.url));
const CODE = codeSources();
const STORE = ["record.c", "store.c"].map((name) => join(C, name));
const PRELOADED: readonly string[] = ["stale-handles"];
/** What each program is linked with; others, with the file of their name alone. */
const LINKED: Readonly<Record<string, readonly string[]>> = {
  rank: [...STORE, ...CODE.files],
  "many-types": CODE.files,
};
const WARNINGS = ["-std=gnu11", "-Wall", "-Wextra", "-Wconversion", "-Werror"];
export const SANITIZERS = ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

export const hasCompiler = spawnSync("gcc", ["--version"]).status === 0;

/** Compiles a file of tests/store, to be preloaded or a program, with what it is linked with; returns its path. */
export function buildProgram(folder: string, name: string, flags: readonly string[] = []): string {
  const program = join(folder, name);
  const alone = CODE.files.filter((file) => basename(file) === `${name}.c`);
  const store = LINKED[name] ?? alone;
  const own = fileURLToPath(new URL(`./${name}.c`, import.meta.url));
  const includes = [...[C, ...CODE.includes].map((each) => `-I${each}`), `-DSTOWAGE_VERSION="${VERSION}"`];
  const kind = PRELOADED.includes(name) ? ["-shared", "-fPIC"] : flags;
  const args = [...WARNINGS, ...kind, ...includes, "-o", program, own, ...store, "-lpthread"];
  const { status, stderr } = spawnSync("gcc", args, { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return program;
}
