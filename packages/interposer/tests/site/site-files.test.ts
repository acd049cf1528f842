import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exportFiles, moduleFile } from "../../src/index.js";
import { EXEC_NAME } from "../../src/site/exec-script.js";
import { VERSION } from "../../src/version.js";
import { inFolder } from "../service/in-folder.js";

const HASH = "0123456789ab";
const ANY = `libstowage-any-${VERSION}-${HASH}.so`;
const nameOf = (mpi: string): string => `libstowage-${mpi}-${VERSION}-${HASH}.so`;

/** A site's folder, of libraries that are empty files: the dynamic loader says that they are none, and goes on. */
function exported(folder: string, names: readonly string[]): string {
  const environment = { STOWAGE_CACHE: join(folder, "code"), STOWAGE_INTERPOSER: join(folder, "lib") };
  mkdirSync(environment.STOWAGE_INTERPOSER, { mode: 0o700 });
  for (const name of names) writeFileSync(join(environment.STOWAGE_INTERPOSER, name), "", { mode: 0o700 });
  const site = join(realpathSync(folder), "site");
  exportFiles(site, environment);
  return site;
}

const ALL = [
  ANY,
  `libstowage-recorder-any-${VERSION}-${HASH}.so`,
  ...["openmpi-4.1.4", "openmpi-5.0.7", "mpich-4.2.1", "mpi-abi-1.0"].map(nameOf),
  `libstowage-openmpi-9.9.9-0.0.1-${HASH}.so`,
];

const variables = (output: string): Readonly<Record<string, string>> =>
  Object.fromEntries(output.split("\n").map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]));

const run = (words: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  spawnSync(words[0] as string, words.slice(1), {
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: "/home/user", ...env },
  });

test("the script runs a command with the libraries of its folder, from wherever it is called, and keeps what is set", () =>
  inFolder((folder) => {
    const site = exported(folder, ALL);
    symlinkSync(join(site, "bin", EXEC_NAME), join(folder, "linked"));
    const libraries = [
      `openmpi=${site}/lib/${nameOf("openmpi-5.0.7")}`,
      `mpich=${site}/lib/${nameOf("mpich-4.2.1")}`,
      `mpi-abi=${site}/lib/${nameOf("mpi-abi-1.0")}`,
    ].join(":");
    for (const script of [join(site, "bin", EXEC_NAME), join(folder, "linked")])
      expect(variables(run([script, "env"]).stdout)).toMatchObject({
        STOWAGE_LIBRARIES: libraries,
        STOWAGE_CACHE: `/home/user/.cache/stowage/code:${site}/code`,
        LD_PRELOAD: `${site}/lib/${ANY}`,
      });
    const set = { LD_PRELOAD: "/absent/profiler.so", STOWAGE_LIBRARIES: "mpich=/a.so", STOWAGE_CACHE: "/b" };
    expect(variables(run([join(site, "bin", EXEC_NAME), "env"], set).stdout)).toMatchObject({
      ...set,
      LD_PRELOAD: `${site}/lib/${ANY}:/absent/profiler.so`,
    });
    const homeless = run([join(site, "bin", EXEC_NAME), "env"], { HOME: "" }).stdout;
    expect(variables(homeless)["STOWAGE_CACHE"]).toBe(`${site}/code`);
    expect(run([join(site, "bin", EXEC_NAME), "sh", "-c", "exit 7"]).status).toBe(7);
    const without = run([join(site, "bin", EXEC_NAME)]);
    expect([without.status, without.stderr]).toEqual([2, "stowage-exec: expected a command, got none\n"]);
    return Promise.resolve();
  }));

test("a module file names the last library of each MPI, or those that are asked for", () =>
  inFolder((folder) => {
    const site = exported(folder, ALL);
    const last = moduleFile(site);
    expect(last).toContain(`openmpi=${site}/lib/${nameOf("openmpi-5.0.7")}:mpich=`);
    expect(last).toContain(`pathJoin(site, "lib", "${ANY}")`);
    expect(last).not.toContain("recorder");
    expect(moduleFile(site, { mpis: ["openmpi-4.1.4"] })).toContain(`openmpi=${site}/lib/${nameOf("openmpi-4.1.4")}:`);
    expect(() => moduleFile(site, { mpis: ["openmpi-4.0.0"] })).toThrow(
      /^.*site: expected a library for openmpi-4\.0\.0, got libstowage-any-/,
    );
    return Promise.resolve();
  }));

test("a folder without a whole set of libraries has no script, and a module file says what to do", () =>
  inFolder((folder) => {
    const site = exported(folder, [nameOf("mpich-4.2.1")]);
    expect(() => readFileSync(join(site, "bin", EXEC_NAME))).toThrow("ENOENT");
    expect(() => moduleFile(site)).toThrow("expected libraries of Stowage");
    expect(() => moduleFile(join(folder, "absent"))).toThrow(/absent\/lib: expected a folder of libraries .*ENOENT/);
    expect(() => moduleFile("/opt/a site")).toThrow("/opt/a site: expected a path without spaces and colons");
    return Promise.resolve();
  }));
