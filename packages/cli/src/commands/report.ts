import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { printJson } from "../print.js";
import { FIGURES } from "../report/figures.js";
import { renderSvg } from "../report/render-svg.js";
import { reportMarkdown } from "../report/markdown.js";
import { summarise, yardstickOf } from "../report/summary.js";
import { parseResults } from "../results/schema.js";
import { readText } from "../type-argument.js";

interface Options {
  readonly plots?: string;
  readonly against?: string;
  readonly json?: boolean;
}

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
    .action(report);
}

async function report(files: readonly string[], options: Options): Promise<void> {
  const results = files.map((file) => parseResults(readText(file), file));
  const rows = results.flatMap((result) => result.rows);
  const against = options.against ?? yardstickOf(rows);
  const summary = summarise(rows, against);
  if (options.plots !== undefined) {
    mkdirSync(options.plots, { recursive: true });
    for (const { name, draw } of FIGURES) {
      const specification = draw(rows, against);
      if (specification !== undefined)
        writeFileSync(join(options.plots, `${name}.svg`), await renderSvg(specification));
    }
  }
  if (options.json === true) printJson(summary);
  else console.log(reportMarkdown(results, summary));
}
