import { Command } from "commander";

export function doctorCommand(): Command {
  return new Command("doctor")
    .description("say what this machine offers: processor, GPUs, MPIs, and which backends can run here")
    .option("--json", "print as JSON")
    .action(async (options: object) => {
      const { doctor } = await import("../doctor/doctor.js");
      doctor(options);
    });
}
