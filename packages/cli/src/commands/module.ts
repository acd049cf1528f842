import { Command } from "commander";
import { option } from "../options/checked-option.js";

export function moduleCommand(): Command {
  return new Command("module")
    .description("write a module file of Lmod for a folder of `stowage cache export`")
    .argument("<FOLDER>", "the folder, as compute nodes see it: /opt/stowage")
    .addOption(
      option("--mpi <releases>", "the MPIs of its users, such as openmpi-5.0.7 (default: the last of each there)", {
        value: { kind: "text" },
      }),
    )
    .addOption(option("--out <file>", "the module file (default: printed)", { value: { kind: "output", of: "file" } }))
    .action(async (folder: string, options: object) => {
      const { writeModule } = await import("../interposer/module.js");
      writeModule(folder, options);
    });
}
