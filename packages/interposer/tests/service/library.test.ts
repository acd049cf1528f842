import { librarySources } from "@stowage/libstowage";
import { spawnSync } from "node:child_process";
import { readdirSync, readlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { serve } from "../../src/index.js";
import { hasCompiler } from "../store/build-rank.js";
import { inFolder } from "./in-folder.js";

const PROGRAM = fileURLToPath(new URL("./library.c", import.meta.url));

/** Of each run: whether code was there at once, and in the end; how much was wrong. */
function run(program: string, environment: NodeJS.ProcessEnv): string {
  const { stdout, stderr, status } = spawnSync(program, { env: environment, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program}: ${status}: ${stdout}${stderr}`);
  return stdout.trim();
}

function built(folder: string): string {
  const { files, includes } = librarySources();
  const program = join(folder, "program");
  const flags = ["-std=c11", "-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
  const args = [...flags, ...includes.map((each) => `-I${each}`), "-o", program, PROGRAM, ...files];
  const { status, stderr } = spawnSync("gcc", args, { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return program;
}

describe.runIf(hasCompiler)("a program over libstowage", () => {
  test("packs by loops at once; code of the service takes over, is cached, and needs no service then", () =>
    inFolder(async (folder) => {
      const program = built(folder);
      const environment = { STOWAGE_CACHE: join(folder, "cache"), XDG_RUNTIME_DIR: folder };
      expect(run(program, { ...environment, STOWAGE_SERVICE: "" })).toBe("0 0 0");
      const serving = await serve({ ...process.env, ...environment });
      try {
        expect(readlinkSync(serving.path)).toMatch(/^service-/);
        // Nothing but the runtime folder says where the service is.
        expect(run(program, environment)).toBe("0 1 0");
        expect(readdirSync(join(folder, "cache")).length).toBeGreaterThan(0);
        expect(run(program, { ...environment, STOWAGE_SERVICE: "" })).toBe("1 1 0");
      } finally {
        serving.end();
      }
      expect(readdirSync(join(serving.path, ".."))).not.toContain(basename(serving.path));
    }));
});

describe.skipIf(hasCompiler)("no C compiler", () => {
  test("no program over libstowage was run", () => expect(hasCompiler).toBe(false));
});
