import { Command, Option } from "commander";

export function regretCommand(): Command {
  return new Command("regret")
    .description("the time of what is chosen over the time of the best, over the workloads: a seeded sample, or --all")
    .option("--all", "every workload at every size")
    .option("--seconds <n>", "time for the sample: nothing is begun after it", "400")
    .option("--seed <n>", "of the sample", "1")
    .option("--threads <n>", "most threads that x64 may share a call among (default: 2)")
    .addOption(new Option("--device <kind>", "data in a GPU's memory").choices(["cuda"]))
    .option("--simulated", "with --device: a simulated one, right but no measure of time")
    .option("--from <file>", "rows that an earlier run wrote with --out, scored anew: nothing is measured")
    .option("--svg <file>", "draw the share of cells by regret")
    .option("--out <file>", "write the measured rows, kept whole after every cell")
    .option("--json", "print {median, p95, worst, rows}")
    .action(async (options: object) => {
      const { regret } = await import("../regret/regret.js");
      await regret(options as never);
    });
}
