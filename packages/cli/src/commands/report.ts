import { Command } from "commander";

export function reportCommand(): Command {
  return new Command("report")
    .description("tables and plots of result files: bandwidth over size, speed-ups, commit costs, break-even")
    .argument("<FILES...>", "result files that `stowage bench --out` wrote")
    .option("--plots <folder>", "write SVG plots into this folder")
    .option(
      "--against <contender>",
      "the contender that speed-ups are over; default: memcpy, or where it has no rows the first contender",
    )
    .option("--json", "print the tables' data as JSON")
    .action(async (files: readonly string[], options: object) => {
      const { report } = await import("../report/report.js");
      await report(files, options);
    });
}
