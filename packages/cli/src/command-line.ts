import { typedCommand } from "@stowage/bench";

/** The command that repeats this run, behind the launcher that started it where there is one. */
export const commandLine = (launcher: readonly string[] = []): string =>
  typedCommand([...launcher, "npx", "stowage", ...process.argv.slice(2)]);

/** The launcher of an MPI as Debian calls it, and the ranks. */
export const launcherWords = (family: string, ranks: number): readonly string[] => [
  family === "openmpi" ? "mpirun.openmpi" : "mpiexec.mpich",
  "-n",
  String(ranks),
];
