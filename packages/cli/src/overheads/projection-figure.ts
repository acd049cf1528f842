import { CAUSES, type OverheadRow, type Projected } from "@stowage/overheads";
import type { TopLevelSpec } from "vega-lite";
import { plotColours } from "../report/figures/palette.js";

const PANEL = { width: 420, height: 300 };
/** What grows with the ranks: the paper's Figures 3, 5, 8 and 11. */
const GROWING = ["matching", "waitany", "unexpected", "sparse"];

/** Predictions over the ranks, in logarithms, and what was measured where ranks are the axis. */
export function predictionFigure({ mpi, models }: Projected, rows: readonly OverheadRow[]): TopLevelSpec {
  const shown = models.filter(({ experiment }) => GROWING.includes(experiment));
  const values = shown.flatMap(({ experiment, panel, series, predicted }) =>
    predicted.map(({ ranks, ns }) => ({ ranks, ns, line: `${experiment}, ${panel}: ${series}` })),
  );
  const measured = rows
    .filter((row) => row.mpi === mpi && row.panel === "alltoallv")
    .map(({ experiment, panel, series, ranks, medianNs }) => ({
      ranks,
      ns: medianNs,
      line: `${experiment}, ${panel}: ${series}`,
    }));
  const lines = [...new Set([...values, ...measured].map(({ line }) => line))];
  const encoding = {
    x: { field: "ranks", type: "quantitative" as const, title: "ranks", scale: { type: "log" as const, base: 2 } },
    y: { field: "ns", type: "quantitative" as const, title: "nanoseconds", scale: { type: "log" as const } },
    color: {
      ...{ field: "line", type: "nominal" as const, title: null },
      scale: { domain: lines, range: plotColours(lines.length) },
    },
  };
  return {
    ...{ title: `${mpi}: predicted`, ...PANEL },
    layer: [
      { data: { values }, mark: "line", encoding },
      { data: { values: measured }, mark: { type: "point", filled: true }, encoding },
    ],
    config: { view: { stroke: "#d5dbe1" }, legend: { labelLimit: 0 } },
  };
}

/** Where the time of a simulated exchange goes, one bar for each number of ranks. */
export function haloFigure({ mpi, halos }: Projected): TopLevelSpec {
  const values = halos.flatMap(({ ranks, mode, exchangeNs, causes }) =>
    CAUSES.map((cause) => ({ ranks, mode, cause, percent: (100 * causes[cause]) / exchangeNs })),
  );
  return {
    title: `${mpi}: a simulated halo exchange in three dimensions`,
    data: { values },
    facet: { column: { field: "mode", type: "nominal", title: null } },
    spec: {
      ...PANEL,
      mark: "bar",
      encoding: {
        x: { field: "ranks", type: "ordinal", title: "ranks" },
        y: { field: "percent", type: "quantitative", title: "percent of the time", scale: { domain: [0, 100] } },
        color: { field: "cause", type: "nominal", title: null, sort: [...CAUSES] },
      },
    },
  };
}
