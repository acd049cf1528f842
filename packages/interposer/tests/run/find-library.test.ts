import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, realpathSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findLibrary } from "../../src/run/find-library.js";
import { VERSION } from "../../src/version.js";
import { inFolder } from "../service/in-folder.js";

const NOBODY = 65_534;
const isRoot = process.geteuid?.() === 0;
const hasMpicc = spawnSync("mpicc", ["--version"]).status === 0;
const without = { isOpenMpi: true, family: "openmpi", compilers: ["/absent/mpicc"] } as const;
const NAME = `libstowage-openmpi-4.1.4-${VERSION}-0123456789ab.so`;

/** A folder that holds a library which somebody built; that library. */
function built(folder: string, name = NAME): string {
  const lib = join(realpathSync(folder), "lib");
  mkdirSync(lib, { mode: 0o755 });
  writeFileSync(join(lib, name), "", { mode: 0o755 });
  return join(lib, name);
}

const search = (folder: string, launcher: Parameters<typeof findLibrary>[0] = without): Promise<string> =>
  findLibrary(launcher, "packing", join(folder, "lib"));

describe("without a compiler, a library that was built before", () => {
  test("is taken where this user has it, whatever links of theirs lead to the folder", () =>
    inFolder(async (folder) => {
      const library = built(folder);
      expect(await search(folder)).toBe(library);
      renameSync(join(folder, "lib"), join(folder, "elsewhere"));
      symlinkSync("elsewhere", join(folder, "lib"));
      expect(await search(folder)).toBe(join(realpathSync(folder), "elsewhere", NAME));
    }));

  test("is refused where others may write to it, to its folder, or to the folder above", () =>
    inFolder(async (folder) => {
      const library = built(folder);
      for (const [path, mode] of [
        [library, 0o775],
        [join(folder, "lib"), 0o1777],
        [folder, 0o770],
      ] as const) {
        chmodSync(path, mode);
        await expect(search(folder)).rejects.toThrow(
          new RegExp(
            `: expected a (file|folder) that this user or root alone may write to, got .*of mode ${mode.toString(8)}|of mode 0${mode.toString(8)}$`,
          ),
        );
        chmodSync(path, 0o755);
      }
      expect(await search(folder)).toBe(library);
    }));

  test("is refused where it is a link or a pipe, and nobody waits", () =>
    inFolder(async (folder) => {
      const library = built(folder, "else.so");
      symlinkSync("else.so", join(folder, "lib", NAME));
      await expect(search(folder)).rejects.toThrow(
        `${NAME}: expected a file that this user or root alone may write to, got ELOOP`,
      );
      renameSync(library, join(folder, "lib", NAME));
      spawnSync("sh", ["-c", 'rm "$1" && mkfifo "$1"', "sh", join(folder, "lib", NAME)]);
      await expect(search(folder)).rejects.toThrow(
        `${NAME}: expected a file that this user or root alone may write to, got no file`,
      );
    }));

  test.runIf(isRoot)(
    "is refused where it, its folder, or one above it is another user's, one line that says whose",
    () =>
      inFolder(async (folder) => {
        const library = built(folder);
        for (const path of [library, join(folder, "lib"), folder]) {
          chownSync(path, NOBODY, NOBODY);
          await expect(search(folder)).rejects.toThrow(
            /^[^\n]*: expected a (file|folder) that this user or root alone may write to, got [^\n]*user 65534's of mode 0[0-7]{3}$/,
          );
          chownSync(path, 0, 0);
        }
        expect(await search(folder)).toBe(library);
      }),
  );
});

test.runIf(isRoot && hasMpicc)(
  "a folder that the builder refuses for its owner is not searched for what lies there",
  () =>
    inFolder(async (folder) => {
      built(folder);
      chownSync(join(folder, "lib"), NOBODY, NOBODY);
      const family = { ...without, family: undefined, compilers: ["mpicc"] };
      await expect(search(folder, family)).rejects.toThrow(/user 65534's of mode 0755$/);
    }),
);
