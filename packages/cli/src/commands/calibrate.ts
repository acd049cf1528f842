import { Command, Option } from "commander";

export function calibrateCommand(): Command {
  return new Command("calibrate")
    .description(
      "measure this machine once, so that backends are chosen by what they take here; goes on where it was interrupted",
    )
    .option("--out <file>", "where the profile goes (default: where engines look for it)")
    .option("--points <n>", "datatypes to measure", "150")
    .addOption(new Option("--device <kind>", "measure a GPU too").choices(["cuda"]))
    .option("--simulated", "with --device: a simulated one, right but no measure of time")
    .option("--json", "print the profile")
    .action(async (options: object) => {
      const { calibrate } = await import("../calibrate/calibrate.js");
      await calibrate(options as never);
    });
}
