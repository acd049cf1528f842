import { Command } from "commander";
import { option } from "../options/checked-option.js";

export function interposerCommand(): Command {
  const interposer = new Command("interposer").description("the library that `stowage run` preloads into MPI programs");
  interposer
    .command("build")
    .description(
      "build the library ahead of the first run, with the recorder of --record and their loader; print the paths",
    )
    .addOption(
      option(
        "--mpicc <command>",
        "the compiler wrapper of the MPI that the library is for (default: STOWAGE_MPICC, or mpicc)",
        {
          value: { kind: "text" },
        },
      ),
    )
    .addOption(
      option("--out <folder>", "folder of the library (default: STOWAGE_INTERPOSER, or the user's cache)", {
        value: { kind: "output", of: "folder" },
      }),
    )
    .action(async (options: object) => {
      const { build } = await import("../interposer/build.js");
      await build(options);
    });
  return interposer;
}
