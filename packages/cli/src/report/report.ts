import { outputFile, outputFolder } from "@stowage/bench";
import { parseResults } from "@stowage/bench/results";
import { join } from "node:path";
import { printJson } from "../print-json.js";
import { readText } from "../read-text.js";
import { reportMarkdown } from "./markdown.js";
import { baselineOf, summarise } from "./summary.js";

interface Options {
  readonly plots?: string;
  readonly against?: string;
  readonly json?: boolean;
}

/** `stowage report`. */
export async function report(files: readonly string[], options: Options): Promise<void> {
  const results = files.map((file) => parseResults(readText(file), file));
  const rows = results.flatMap((result) => result.rows);
  const against = options.against ?? baselineOf(rows);
  const summary = summarise(rows, against);
  if (options.plots !== undefined) {
    outputFolder(options.plots, "--plots");
    const { FIGURES } = await import("./figures.js");
    const { renderSvg } = await import("./render-svg.js");
    for (const { name, draw } of FIGURES) {
      const specification = draw(rows, against);
      if (specification !== undefined)
        outputFile(join(options.plots, `${name}.svg`), "--plots").write(await renderSvg(specification));
    }
  }
  if (options.json === true) printJson(summary);
  else console.log(reportMarkdown(results, summary));
}
