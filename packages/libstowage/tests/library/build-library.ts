import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { librarySources } from "../../src/index.js";

const { files, includes } = librarySources();
export const INCLUDES = includes.map((folder) => `-I${folder}`);
export const SOURCES = files;

/** Runs a compiler; throws what it said where it failed. */
export function compile(compiler: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(compiler, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${compiler} ${args.join(" ")}: ${error?.message ?? stderr}`);
}

const KEPT = fileURLToPath(new URL("../../../../tmp/libstowage-objects/", import.meta.url));

/**
 * All of the library as one object of a C compiler's with such flags. It is kept for other processes and runs, under a
 * name of all that it is made of.
 */
export function libraryObject(...flags: readonly string[]): string {
  const words = ["-std=c11", "-O1", "-fPIC", ...flags];
  const hash = createHash("sha256")
    .update(spawnSync("gcc", ["--version"]).stdout)
    .update(words.join(" "));
  for (const folder of includes)
    for (const name of readdirSync(folder).filter((each) => /\.[ch]$/.test(each)))
      hash.update(name).update(readFileSync(join(folder, name)));
  const object = join(KEPT, `${hash.digest("hex").slice(0, 16)}.o`);
  if (existsSync(object)) return object;
  mkdirSync(KEPT, { recursive: true });
  const begun = `${object}.${process.pid}`;
  compile("gcc", [...words, ...INCLUDES, "-r", "-nostdlib", "-o", begun, ...SOURCES]);
  renameSync(begun, object);
  return object;
}

let built: string | undefined;

/** The shared library, linked once a process. */
export function builtLibrary(): string {
  if (built !== undefined) return built;
  const folder = mkdtempSync(join(tmpdir(), "libstowage-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const library = join(folder, "libstowage.so");
  compile("gcc", ["-shared", "-o", library, libraryObject()]);
  return (built = library);
}
