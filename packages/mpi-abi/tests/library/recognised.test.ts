import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { readSharedObject } from "../../src/library/shared-object.js";

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const FOLDER = "/usr/lib/x86_64-linux-gnu";
/** Every file of an MPI's libraries in releases of Debian: its name, its SONAME, what loadMpi says. */
const LIST = JSON.parse(readFileSync(here("recognised.json"), "utf8")) as Readonly<
  Record<string, readonly (readonly [file: string, soname: string, said: string])[]>
>;
const release = /^VERSION_CODENAME=(\w+)/m.exec(
  existsSync("/etc/os-release") ? readFileSync("/etc/os-release", "utf8") : "",
)?.[1];
const installed = (LIST[release ?? ""] ?? []).filter(([file]) => existsSync(join(FOLDER, file)));

describe.runIf(installed.length > 0)(`libraries of Debian's ${release}`, () => {
  test.each(installed)("%s, %s: %s", (file, soname, said) => {
    const path = join(FOLDER, file);
    expect(readSharedObject(path)?.soname).toBe(soname);
    const { stdout } = spawnSync(process.execPath, [here("say-mpi.mjs"), path], { encoding: "utf8" });
    expect(stdout.trim()).toBe(said);
  });
});
