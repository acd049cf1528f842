import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { librarySources } from "../../src/index.js";

const { files, includes } = librarySources();
export const INCLUDES = includes.map((folder) => `-I${folder}`);
export const SOURCES = files;

/** Runs a compiler; throws what it said where it failed. */
export function compile(compiler: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(compiler, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${compiler} ${args.join(" ")}: ${error?.message ?? stderr}`);
}

let built: string | undefined;

/** The shared library, compiled once a process. */
export function builtLibrary(): string {
  if (built !== undefined) return built;
  const folder = mkdtempSync(join(tmpdir(), "libstowage-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const library = join(folder, "libstowage.so");
  compile("gcc", ["-std=c11", "-O1", "-fPIC", "-shared", ...INCLUDES, "-o", library, ...SOURCES]);
  return (built = library);
}
