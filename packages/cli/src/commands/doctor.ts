import { Command } from "commander";
import { jsonOption } from "../options/checked-option.js";

export function doctorCommand(): Command {
  return new Command("doctor")
    .description("say what this machine offers: processor, GPUs, MPIs, and which backends can run here")
    .addOption(jsonOption())
    .action(async (options: object) => {
      const { doctor } = await import("../doctor/doctor.js");
      doctor(options);
    });
}
