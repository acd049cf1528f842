import { Command } from "commander";
import { jsonOption, option } from "../options/checked-option.js";
import { withExamples } from "../options/examples.js";

export function reportCommand(): Command {
  const report = new Command("report")
    .description("tables and plots of result files, or of what a program recorded of its datatypes")
    .argument(
      "[FILES...]",
      "result files that `stowage bench --out` or `stowage overheads --out` wrote, or one folder that `stowage run --record` wrote",
    )
    .addOption(
      option("--plots <folder>", "write SVG plots into this folder (npm install vega vega-lite)", {
        value: { kind: "output", of: "folder", isDrawn: true },
        excludes: ["--over", "--csv", "--osu"],
      }),
    )
    .addOption(
      option(
        "--against <contender>",
        "the contender that speed-ups are over, in the same run; default: memcpy, or where a run has no rows of it the first contender",
        { value: { kind: "text" }, excludes: ["--over", "--html", "--csv", "--osu"] },
      ),
    )
    .addOption(
      option("--over <file>", "compare with an earlier run of the same machine, contender by contender", {
        value: { kind: "input" },
        excludes: ["--csv", "--osu"],
      }),
    )
    .addOption(
      option("--index <folder>", "write README.md of a folder of results: question, headline, date, command", {
        value: { kind: "output", of: "folder" },
        only: [],
      }),
    )
    .addOption(
      option(
        "--html <file>",
        "write one page with sortable tables and plots; two files, or --over, are compared in it",
        {
          value: { kind: "output", of: "file" },
          excludes: ["--csv", "--osu"],
        },
      ),
    )
    .addOption(option("--csv", "print every row as CSV", { excludes: ["--osu", "--json"] }))
    .addOption(
      option("--osu", "print tables as the OSU micro-benchmarks do: microseconds by size", { excludes: ["--json"] }),
    )
    .addOption(jsonOption("print the tables' data as JSON"));
  return withExamples(report, [
    ["stowage report results.json --plots plots", "tables, and SVG plots in a folder"],
    ["stowage report after.json --over before.json", "what changed between two runs"],
    ["stowage report results.json --html page.html", "one page to sort and to point at"],
  ]).action(async (files: readonly string[], options: object) => {
    const { report: run } = await import("../report/report.js");
    await run(files, options);
  });
}
