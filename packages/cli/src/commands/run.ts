import { Command } from "commander";
import { option } from "../options/checked-option.js";
import { withExamples } from "../options/examples.js";

export function runCommand(): Command {
  const run = new Command("run")
    .description("run an MPI program, unmodified, with datatypes packed by our code: stowage run -- mpirun -n 4 ./app")
    .argument("<COMMAND...>", "the command and its arguments, after --")
    .addOption(
      option("--record <folder>", "write what each rank did with its datatypes; `stowage report FOLDER` reads it", {
        value: { kind: "output", of: "folder" },
      }),
    )
    .addOption(option("--verify", "pack every message by the MPI too, and say where a datatype differs"))
    .addOption(option("--verbose", "print a line from each rank for whatever stays native, and why"))
    .action(async (words: readonly string[], options: object) => {
      const { run } = await import("../interposer/run.js");
      await run(words, options);
    });
  return withExamples(run, [
    ["stowage run -- mpirun -n 4 ./app", "the first run builds and compiles, the second has all of it"],
    ["stowage run --record rec -- mpirun -n 4 ./app", "then: stowage report rec"],
  ]);
}
