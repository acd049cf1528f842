import { Command } from "commander";

export function reportCommand(): Command {
  return new Command("report")
    .description("tables and plots of result files, or of what a program recorded of its datatypes")
    .argument(
      "[FILES...]",
      "result files that `stowage bench --out` or `stowage overheads --out` wrote, or one folder that `stowage run --record` wrote",
    )
    .option("--plots <folder>", "write SVG plots into this folder")
    .option(
      "--against <contender>",
      "the contender that speed-ups are over, in the same run; default: memcpy, or where a run has no rows of it the first contender",
    )
    .option("--over <file>", "compare with an earlier run of the same machine, contender by contender")
    .option("--index <folder>", "write README.md of a folder of results: question, headline, date, command")
    .option("--html <file>", "write one page with sortable tables and plots; two files, or --over, are compared in it")
    .option("--csv", "print every row as CSV")
    .option("--osu", "print tables as the OSU micro-benchmarks do: microseconds by size")
    .option("--json", "print the tables' data as JSON")
    .action(async (files: readonly string[], options: object) => {
      const { report } = await import("../report/report.js");
      await report(files, options);
    });
}
