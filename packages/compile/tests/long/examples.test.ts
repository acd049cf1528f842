import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));
const STOWAGE = `${process.execPath} ${fileURLToPath(new URL("../../../cli/bin/stowage.js", import.meta.url))}`;
// As root, and with fewer cores than processes, Open MPI wants to be told; MPICH ignores it.
const env = {
  ...process.env,
  OMPI_ALLOW_RUN_AS_ROOT: "1",
  OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1",
  OMPI_MCA_rmaps_base_oversubscribe: "1",
};

/** Commands in a copy of an example, one after another; what the last one printed. */
function inCopy(example: string, commands: readonly (readonly [string, ...string[]])[]): string {
  const folder = mkdtempSync(join(tmpdir(), "example-"));
  try {
    cpSync(join(EXAMPLES, example), folder, { recursive: true });
    return commands.reduce((_, [command, ...args]) => {
      const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: "utf8", env });
      expect(status, `${command} ${args.join(" ")}: ${stderr}`).toBe(0);
      return stdout;
    }, "");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const make: readonly [string, ...string[]] = ["make", "-s", "run", `STOWAGE=${STOWAGE}`];

test.each([
  ["Open MPI", "mpicc.openmpi", "mpiexec.openmpi"],
  ["MPICH", "mpicc.mpich", "mpiexec.mpich"],
])("the halo exchange in C, made by its Makefile, on %s", (_, compiler, exec) => {
  const printed = inCopy("halo", [[...make, `MPICC=${compiler}`, `MPIEXEC=${exec}`]]);
  expect(printed).toContain("2 processes, 0 wrong values");
});

test("the halo exchange in C, made by CMake", () => {
  const configured = ["cmake", "-B", "build", `-DSTOWAGE=${STOWAGE.replace(" ", ";")}`] as const;
  const printed = inCopy("halo", [configured, ["cmake", "--build", "build"], ["mpiexec", "-n", "2", "build/halo"]]);
  expect(printed).toContain("2 processes, 0 wrong values");
});

test("a face of a field in Fortran, by gfortran", () => {
  expect(inCopy("fortran", [make])).toContain("packed and unpacked 2400 bytes");
});

test("a struct of arrays in C++", () => {
  expect(inCopy("struct-of-arrays", [make])).toContain("0 of 1000 particles are wrong");
});

test("code that is stored, and loaded when the program runs", () => {
  const runtime = fileURLToPath(new URL("../../../../runtime", import.meta.url));
  expect(inCopy("artifact", [[...make, `RUNTIME=${runtime}`]])).toContain("0 of 4 numbers are wrong");
});
