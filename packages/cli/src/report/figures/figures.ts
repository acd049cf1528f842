import type { TopLevelSpec } from "vega-lite";
import { leadingRows } from "../../tables/leading-mode.js";
import { machineName, machinesOf, type Run } from "../run.js";
import { ratiosOf } from "../summary.js";
import { besideMpis } from "./beside-mpis.js";
import { bandwidthOverSize } from "./bandwidth-over-size.js";
import { breakEvens } from "./break-evens.js";
import { commitCosts } from "./commit-costs.js";
import type { Figure } from "./figure.js";
import { paletteOf } from "./palette.js";
import { speedUps } from "./speed-ups.js";

const FIGURES: readonly Figure[] = [
  { name: "bandwidth-over-size", title: "Packed bytes a second, by packed size", draw: bandwidthOverSize },
  { name: "speed-up", title: "Speed beside the baseline", draw: speedUps },
  { name: "beside-mpis", title: "Packing by Stowage beside the MPIs", draw: besideMpis },
  { name: "commit-cost", title: "What a commit takes", draw: commitCosts },
  { name: "break-even", title: "Calls that repay a commit", draw: breakEvens },
];

/** Above the plot: beside it, the text of all would be too small at the width of a phone. */
const LEGEND = { orient: "top", direction: "vertical" } as const;

/** A plot and the name of its file. */
export interface Plot {
  readonly name: string;
  readonly specification: TopLevelSpec;
}

/** Every plot of `stowage report --plots`: of each machine its own, for times of two are never in one. */
export function plotsOf(runs: readonly Run[], against?: string): readonly Plot[] {
  const machines = machinesOf(runs);
  const leading = runs.map((run): Run => ({ ...run, rows: leadingRows(run.rows) }));
  const palette = paletteOf(leading.flatMap(({ rows }) => rows.map(({ contender }) => contender)));
  const allRatios = ratiosOf(leading, against);
  return machines.flatMap((machine) => {
    const own = leading.filter((run) => machineName(run.machine) === machine);
    const ratios = allRatios.filter((ratio) => ratio.machine === machine);
    const drawn = { runs: own, rows: own.flatMap(({ rows }) => rows), ratios, palette };
    const suffix = machines.length === 1 ? "" : `.${slug(machine)}`;
    return FIGURES.flatMap(({ name, title, draw }) => {
      const specification = draw(drawn);
      if (specification === undefined) return [];
      const subtitle = { subtitle: machine, anchor: "start" as const };
      const config = { ...specification.config, legend: LEGEND };
      return [
        { name: `${name}${suffix}`, specification: { title: { text: title, ...subtitle }, ...specification, config } },
      ];
    });
  });
}

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
