import { spawnSync } from "node:child_process";
import { readdirSync, readlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { serve } from "../../src/index.js";
import { compile, INCLUDES, libraryObject } from "../../../libstowage/tests/library/build-library.js";
import { hasCompiler } from "../store/build-rank.js";
import { inFolder } from "./in-folder.js";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const DRIVER = join(HERE, "../device/libcuda.c");

/** What a run prints: whether code was there at once, and in the end; how much was wrong. */
function run(program: string, environment: NodeJS.ProcessEnv): string {
  const { stdout, stderr, status } = spawnSync(program, { env: environment, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program}: ${status}: ${stdout}${stderr}`);
  return stdout.trim();
}

const SANITIZED = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

/** A program of this folder with all of libstowage, by such flags; what `more` names is linked too. */
function built(folder: string, source: string, flags: readonly string[] = [], ...more: readonly string[]): string {
  const program = join(folder, "program");
  const sources = [join(HERE, source), libraryObject(...flags), ...more];
  compile("gcc", ["-std=c11", "-O1", ...flags, ...INCLUDES, "-o", program, ...sources]);
  return program;
}

describe.runIf(hasCompiler)("a program over libstowage", () => {
  test("packs by loops at once; code of the service takes over, is cached, and needs no service then", () =>
    inFolder(async (folder) => {
      const program = built(folder, "library.c", SANITIZED);
      const environment = { STOWAGE_CACHE: join(folder, "cache"), XDG_RUNTIME_DIR: folder };
      expect(run(program, { ...environment, STOWAGE_SERVICE: "" })).toBe("0 0 0");
      const serving = await serve({ ...process.env, ...environment });
      try {
        expect(readlinkSync(serving.path)).toMatch(/^service-/);
        // Nothing but the runtime folder says where the service is. A program that is kept waiting may find code at
        // once.
        expect(run(program, environment)).toMatch(/^[01] 1 0$/);
        expect(readdirSync(join(folder, "cache")).length).toBeGreaterThan(0);
        expect(run(program, { ...environment, STOWAGE_SERVICE: "" })).toBe("1 1 0");
      } finally {
        serving.end();
      }
      expect(readdirSync(join(serving.path, ".."))).not.toContain(basename(serving.path));
    }));
});

describe.runIf(hasCompiler)("a profiler of a program over libstowage", () => {
  test("finds the way to main from every sample in the service's code, if unwinders are told", () =>
    inFolder(async (folder) => {
      const program = built(folder, "backtraces.c");
      const environment = { STOWAGE_CACHE: join(folder, "cache"), XDG_RUNTIME_DIR: folder };
      const serving = await serve({ ...process.env, ...environment });
      try {
        expect(run(program, { ...environment, STOWAGE_FRAMES: "1" })).toBe("200 of 200 reached main");
        expect(run(program, { ...environment, STOWAGE_FRAMES: "0" })).toBe("0 of 200 reached main");
      } finally {
        serving.end();
      }
    }));
});

describe.runIf(hasCompiler)("a program over libstowage and a device", () => {
  test("packs and unpacks on a stream by kernels of the service", () =>
    inFolder(async (folder) => {
      const driver = join(folder, "libcuda.so.1");
      compile("gcc", ["-std=gnu11", "-O1", "-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", "-o", driver, DRIVER]);
      const program = built(folder, "streams.c", [], driver, `-Wl,-rpath,${folder}`);
      const environment = { STOWAGE_CACHE: join(folder, "cache"), XDG_RUNTIME_DIR: folder };
      const serving = await serve({ ...process.env, ...environment });
      try {
        expect(run(program, environment)).toBe("0 wrong");
      } finally {
        serving.end();
      }
    }));
});

describe.skipIf(hasCompiler)("no C compiler", () => {
  test("no program over libstowage was run", () => expect(hasCompiler).toBe(false));
});
