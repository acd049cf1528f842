import { Command } from "commander";
import { option } from "../options/checked-option.js";

export function runCommand(): Command {
  return new Command("run")
    .description("run an MPI program, unmodified, with datatypes packed by our code: stowage run -- mpirun -n 4 ./app")
    .argument("<COMMAND...>", "the command and its arguments, after --")
    .addOption(
      option("--record <folder>", "write what each rank did with its datatypes; `stowage report FOLDER` reads it", {
        value: { kind: "output", of: "folder" },
      }),
    )
    .addOption(option("--verify", "pack every message by the MPI too, and say the first datatype that differs"))
    .addOption(option("--verbose", "one line from each rank for whatever stays native"))
    .action(async (words: readonly string[], options: object) => {
      const { run } = await import("../interposer/run.js");
      await run(words, options);
    });
}
