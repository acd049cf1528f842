import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { mpiTools } from "../../src/index.js";

const folder = mkdtempSync(join(tmpdir(), "stowage-tools-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** PREFIX/lib and PREFIX/bin with programs that say whose they are. */
function prefix(name: string, programs: Readonly<Record<string, string>>): string {
  const at = join(folder, name);
  mkdirSync(join(at, "bin"), { recursive: true });
  for (const [program, text] of Object.entries(programs)) {
    writeFileSync(join(at, "bin", program), `#!/bin/sh\n${text}\n`);
    chmodSync(join(at, "bin", program), 0o755);
  }
  return at;
}

const OPEN_MPI = { mpicc: 'echo "mpicc: Open MPI 5.0.3 (Language: C)"', mpirun: 'echo "mpirun (Open MPI) 5.0.3"' };
const MPICH = { mpicc: '[ "$1" = -show ] && echo gcc -lmpi', mpiexec: 'echo "HYDRA build details:"' };

describe("programs of an MPI", () => {
  it("lie beside its library", () => {
    const [ompi, mpich] = [prefix("ompi", OPEN_MPI), prefix("mpich", MPICH)];
    const environment = {};
    expect(mpiTools(join(ompi, "lib/libmpi.so.40"), environment)).toEqual({
      family: "openmpi",
      compiler: join(ompi, "bin/mpicc"),
      launcher: join(ompi, "bin/mpirun"),
    });
    expect(mpiTools(join(mpich, "lib/libmpi.so.12"), environment)).toMatchObject({
      family: "mpich",
      compiler: join(mpich, "bin/mpicc"),
      launcher: join(mpich, "bin/mpiexec"),
    });
  });

  it("are never another MPI's", () => {
    const mixed = prefix("mixed", { ...OPEN_MPI, mpiexec: OPEN_MPI.mpirun });
    const { compiler, launcher } = mpiTools(join(mixed, "lib/libmpi.so.12"), {});
    expect([compiler, launcher]).not.toContain(join(mixed, "bin/mpicc"));
    expect([compiler, launcher]).not.toContain(join(mixed, "bin/mpiexec"));
  });

  it("are those that the environment names", () => {
    const named = { STOWAGE_MPICC: "/opt/cc", STOWAGE_MPIRUN: "/opt/run" };
    expect(mpiTools("/nowhere/lib/libmpi.so.40", named)).toMatchObject({ compiler: "/opt/cc", launcher: "/opt/run" });
  });
});
