import {
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CodeCache, exportFiles } from "../../src/index.js";
import { fileName } from "../../src/cache/code-cache.js";
import { inFolder } from "../service/in-folder.js";

const NAME = fileName("0".repeat(32), "avx2");
const LIBRARY = "libstowage-openmpi-4.1.4-0.1.0-0123456789ab.so";

/** A user's code and library, and where they are exported to. */
function kept(folder: string): { environment: NodeJS.ProcessEnv; library: string; site: string } {
  const environment = { STOWAGE_CACHE: join(folder, "code"), STOWAGE_INTERPOSER: join(folder, "lib") };
  new CodeCache(environment.STOWAGE_CACHE, 2 ** 20).write(NAME, new TextEncoder().encode("code"));
  mkdirSync(environment.STOWAGE_INTERPOSER, { mode: 0o700 });
  const library = join(environment.STOWAGE_INTERPOSER, LIBRARY);
  writeFileSync(library, "library", { mode: 0o700 });
  return { environment, library, site: join(realpathSync(folder), "site") };
}

test("no name that another may have planted is followed: what it leads to stays as it was", () =>
  inFolder((folder) => {
    const { environment, site } = kept(folder);
    writeFileSync(join(folder, "precious"), "precious", { mode: 0o600 });
    mkdirSync(join(site, "code"), { recursive: true });
    for (const planted of [NAME, `${NAME}.${process.pid}.new`])
      symlinkSync(join(folder, "precious"), join(site, "code", planted));
    expect(exportFiles(site, environment)).toEqual({ code: 1, libraries: 1 });
    expect(readFileSync(join(folder, "precious"), "utf8")).toBe("precious");
    expect(statSync(join(folder, "precious")).mode & 0o777).toBe(0o600);
    expect(lstatSync(join(site, "code", NAME)).isFile()).toBe(true);
    expect(readFileSync(join(site, "code", NAME), "utf8")).toBe("code");
    expect(readdirSync(join(site, "lib"))).toEqual([LIBRARY]);
    expect(statSync(join(site, "lib", LIBRARY)).mode & 0o777).toBe(0o755);
    return Promise.resolve();
  }));

test.runIf(process.geteuid?.() === 0)("another user's library is not made this user's by exporting it", () =>
  inFolder((folder) => {
    const { environment, library, site } = kept(folder);
    chownSync(library, 65_534, 65_534);
    expect(() => exportFiles(site, environment)).toThrow(/expected a file that this user or root alone may write to/);
    expect(readdirSync(join(site, "lib"))).toEqual([]);
    return Promise.resolve();
  }),
);
