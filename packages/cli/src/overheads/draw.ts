import { outputFile } from "@stowage/bench";
import { EXPERIMENTS, type OverheadResults } from "@stowage/overheads";
import { join } from "node:path";
import type { TopLevelSpec } from "vega-lite";
import { renderSvg } from "../report/render-svg.js";
import { overheadFigure } from "./figure.js";
import { haloFigure, predictionFigure } from "./projection-figure.js";

/** Writes a picture an experiment, named as the paper numbers them: 3.04-waitany.svg. */
export async function drawOverheads(folder: string, runs: readonly OverheadResults[]): Promise<void> {
  for (const experiment of EXPERIMENTS) {
    const specification = overheadFigure(experiment, runs);
    if (specification === undefined) continue;
    const [chapter, section = ""] = experiment.section.split(".");
    const name = `${chapter}.${section.padStart(2, "0")}-${experiment.name}.svg`;
    outputFile(join(folder, name), "--plots").write(await renderSvg(specification));
  }
  for (const { projected = [], rows } of runs) {
    for (const one of projected) {
      const draw = async (name: string, specification: TopLevelSpec): Promise<void> =>
        outputFile(join(folder, `${name}-${one.mpi}.svg`), "--plots").write(await renderSvg(specification));
      await draw("predicted", predictionFigure(one, rows));
      await draw("halo", haloFigure(one));
    }
  }
}
