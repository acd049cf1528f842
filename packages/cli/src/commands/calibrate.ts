import { Command, Option } from "commander";

export function calibrateCommand(): Command {
  return new Command("calibrate")
    .description(
      "measure this machine once, so that backends are chosen by what they take here; goes on where it was interrupted; under mpirun, add what the MPI's messages cost to the profile",
    )
    .option("--out <file>", "where the profile goes (default: where engines look for it)")
    .option("--points <n>", "datatypes to measure at most", "260")
    .option("--seconds <n>", "time to measure them in (default: 54, with --device 108)")
    .option("--rows <file>", "write what was measured too")
    .addOption(new Option("--device <kind>", "measure a GPU too").choices(["cuda"]))
    .option("--simulated", "with --device: a simulated one, right but no measure of time")
    .option(
      "--withhold-description",
      "time every alternative of x64, as on a processor that nobody has described; without it those that its description is silent of",
    )
    .option("--json", "print the profile")
    .action(async (options: object) => {
      const { calibrate } = await import("../calibrate/calibrate.js");
      await calibrate(options as never);
    });
}
