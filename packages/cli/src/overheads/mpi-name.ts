import { spawnSync } from "node:child_process";
import { outsideOfRanks } from "@stowage/overheads";

const PROGRAM = 'import("@stowage/mpi-abi").then(({ loadMpi }) => console.log(loadMpi(process.argv[1]).name))';

/** Such as openmpi-4.1.4. A process loads one MPI only, so that each is asked in one of its own. */
export function mpiName(library: string): string {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      ...process.execArgv,
      "--input-type=module",
      "--eval",
      PROGRAM.replace("@stowage/mpi-abi", import.meta.resolve("@stowage/mpi-abi")),
      library,
    ],
    { encoding: "utf8", env: outsideOfRanks(process.env) },
  );
  if (status === 0) return stdout.trim();
  throw new Error(`${library}: expected an MPI library, got ${stderr.trim().split("\n").at(-1) ?? "nothing"}`);
}
