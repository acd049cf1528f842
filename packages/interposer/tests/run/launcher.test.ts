import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { launcherOf } from "../../src/run/launcher.js";
import { inFolder } from "../service/in-folder.js";

/** A folder of programs by name, linked to others where said. */
function programs(folder: string, names: readonly string[], links: Readonly<Record<string, string>> = {}): string {
  mkdirSync(folder);
  for (const name of names) {
    writeFileSync(join(folder, name), "#!/bin/sh\n");
    chmodSync(join(folder, name), 0o755);
  }
  for (const [name, to] of Object.entries(links)) symlinkSync(to, join(folder, name));
  return folder;
}

test("the wrapper beside the launcher is asked before those of PATH, whatever the launcher's links", () =>
  inFolder((folder) => {
    const own = programs(join(folder, "own"), ["orterun", "mpicc"], { mpirun: "orterun" });
    const system = programs(join(folder, "system"), ["mpicc", "mpiexec.hydra"], { mpiexec: "mpiexec.hydra" });
    const environment = { PATH: `${system}:${own}` };
    const openMpi = launcherOf(["mpirun", "-n", "2", "app"], environment);
    expect(openMpi).toMatchObject({ isOpenMpi: true, family: "openmpi" });
    expect(openMpi.compilers[0]).toBe(join(own, "mpicc"));
    const mpich = launcherOf([join(system, "mpiexec"), "app"], environment);
    expect(mpich).toMatchObject({ isOpenMpi: false, family: "mpich" });
    expect(mpich.compilers).toEqual([join(system, "mpicc"), "mpicc", "mpicc.openmpi", "mpicc.mpich"]);
    return Promise.resolve();
  }));

test("STOWAGE_MPICC is asked alone", () => {
  expect(launcherOf(["absent"], { PATH: "", STOWAGE_MPICC: "/opt/mpicc" }).compilers).toEqual(["/opt/mpicc"]);
});
