import { spawnSync } from "node:child_process";
import { appendFileSync, chmodSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Loaded } from "../../src/run/find-library.js";
import { knownLibraries } from "../../src/run/known-libraries.js";
import { VERSION } from "../../src/version.js";
import { inFolder } from "../service/in-folder.js";
import { hasCompiler } from "../store/build-rank.js";

/** No wrapper: of the MPI's libraries one that was built before is found; the loader is built. */
const launcher = { isOpenMpi: true, family: "openmpi", compilers: ["/absent/mpicc"] } as const;

function built(folder: string, release: string): string {
  const path = join(folder, `libstowage-openmpi-${release}-${VERSION}-0123456789ab.so`);
  const { stderr } = spawnSync("gcc", ["-shared", "-o", path, "-x", "c", "/dev/null"], { encoding: "utf8" });
  expect(stderr).toBe("");
  return path;
}

/** A folder with a library, what is found there, and a word written into what is kept of that. */
const inLibraries = (check: (folder: string, library: string, mark: () => void) => Promise<void>): Promise<void> =>
  inFolder((outer) => {
    const folder = join(realpathSync(outer), "lib");
    mkdirSync(folder, { mode: 0o755 });
    const mark = (): void => {
      const kept = join(folder, readdirSync(folder).find((name) => name.startsWith("run-")) as string);
      writeFileSync(kept, readFileSync(kept, "utf8").replace("STOWAGE_LIBRARIES", "KEPT"));
    };
    return check(folder, built(folder, "4.1.4"), mark);
  });

const found = async (folder: string): Promise<Loaded> =>
  (await knownLibraries(launcher, ["packing"], folder))[0] as Loaded;

test.runIf(hasCompiler)("libraries are looked for once, and again where one was replaced or another was built", () =>
  inLibraries(async (folder, library, mark) => {
    const first = await found(folder);
    expect(first.libraries).toEqual([library]);
    expect(first.variable).toEqual(["STOWAGE_LIBRARIES", `openmpi=${library}`]);
    expect(await found(folder)).toEqual(first);
    mark();
    expect(await found(folder)).toEqual({ ...first, variable: ["KEPT", first.variable[1]] });
    appendFileSync(library, "\n");
    expect(await found(folder)).toEqual(first);
    mark();
    const newer = built(folder, "4.1.5");
    expect((await found(folder)).libraries).toEqual([newer]);
  }),
);

test.runIf(hasCompiler)("nothing is taken from what is kept where others may write to it", () =>
  inLibraries(async (folder) => {
    await found(folder);
    chmodSync(folder, 0o777);
    await expect(found(folder)).rejects.toThrow(/expected a folder that this user( or root)? alone may write to/);
  }),
);

test.runIf(hasCompiler)("a library that does not load is told each time", () =>
  inLibraries(async (folder, library) => {
    writeFileSync(library, "no library");
    for (let i = 0; i < 2; i++)
      await expect(found(folder)).rejects.toThrow(`${library}: expected a library that loads, got`);
  }),
);
