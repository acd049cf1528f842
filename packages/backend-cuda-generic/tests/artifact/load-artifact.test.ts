import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const hasCompiler = spawnSync("gcc", ["--version"]).status === 0;
const STAND_IN = here("../../../interposer/tests/device/libcuda.c");
const WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Wstrict-prototypes", "-Werror"];

test.runIf(hasCompiler)(
  "a C program launches an exported kernel by the record that C packs (runtime/launch.h)",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "stowage-artifact-"));
    const before = process.argv;
    try {
      process.argv = [...before.slice(0, 2), folder];
      await import(/* @vite-ignore */ here("../../checks/export-artifact.mjs"));
      const [driver, program] = [join(folder, "libcuda.so.1"), join(folder, "load-artifact")];
      const shared = ["-std=gnu11", "-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", "-o", driver, STAND_IN];
      expect(spawnSync("gcc", shared, { encoding: "utf8" }).stderr).toBe("");
      const source = here("../../checks/load-artifact.c");
      const args = ["-std=gnu11", ...WARNINGS, `-I${here(".")}`, "-o", program, source, driver, `-Wl,-rpath,${folder}`];
      expect(spawnSync("gcc", args, { encoding: "utf8" }).stderr).toBe("");
      const { stdout, stderr } = spawnSync(program, [folder], { encoding: "utf8" });
      expect(stderr).toBe("");
      expect(stdout).toMatch(/^\d+ bytes packed by generic_\w+: right\n$/);
    } finally {
      process.argv = before;
      rmSync(folder, { recursive: true });
    }
  },
);
