import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { ADVICE, installed } from "./installed.js";

/** What a process prints that makes `calls` of this package; it must live to the end. */
function printed(library: string, calls: string): string {
  const source = `
    import { predefined, vector } from "@stowage/ir";
    import { constructDatatype, finalise, initialise, loadMpi, typeBounds } from "@stowage/mpi-abi";
    const mpi = loadMpi(${JSON.stringify(library)});
    const type = vector(2, 1, 3, predefined("MPI_INT"));
    const say = (act) => { try { act(); console.log("fine"); } catch (error) { console.log(error.name + ": " + error.message); } };
    ${calls}`;
  const run = spawnSync(process.execPath, ["--input-type=module", "--eval", source], {
    encoding: "utf8",
    cwd: import.meta.dirname,
  });
  return `${run.stdout}${run.status === 0 ? "" : `status ${run.status ?? run.signal}: ${run.stderr}`}`;
}

describe.each(["openmpi", "mpich"] as const)("%s", (family) => {
  const library = installed(family);
  it.skipIf(library === undefined)(`refuses calls before it runs and after (${ADVICE} installs it)`, () => {
    const output = printed(
      library as string,
      `say(() => constructDatatype(mpi, type));
       say(() => mpi.calls.MPI_Finalize());
       initialise(mpi);
       const made = constructDatatype(mpi, type);
       say(() => typeBounds(mpi, made.handle));
       finalise(mpi);
       finalise(mpi);
       say(() => typeBounds(mpi, made.handle));
       say(() => made.commit());
       say(() => initialise(mpi));`,
    );
    expect(output.replaceAll(/-\d[\w.]*:/g, ":").split("\n")).toEqual([
      `MpiLibraryError: MPI_Type_vector of ${family}: expected a running MPI, got a call before initialise`,
      `MpiLibraryError: MPI_Finalize of ${family}: expected a running MPI, got a call before initialise`,
      "fine",
      `MpiLibraryError: MPI_Type_size_x of ${family}: expected a running MPI, got a call after finalise`,
      `MpiLibraryError: MPI_Type_commit of ${family}: expected a running MPI, got a call after finalise`,
      `MpiLibraryError: ${family}: expected to be initialised once in a process, got a call after MPI_Finalize`,
      "",
    ]);
  });
});
