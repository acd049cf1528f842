import type { TopLevelSpec } from "vega-lite";
import { contendersIn, family, type Drawn } from "./figure.js";
import { colourOf } from "./palette.js";

/** Bars of how many times as fast as the baseline of its run each contender is, a family of workloads a line. */
export function speedUps({ ratios, palette }: Drawn): TopLevelSpec | undefined {
  const values = ratios.map(({ row, ratio }) => ({ ...row, family: family(row.workload), ratio }));
  if (values.length === 0) return undefined;
  const baselines = [...new Set(ratios.map(({ against }) => against))].join(" or ");
  return {
    data: { values },
    facet: { field: "direction", type: "nominal", title: null },
    columns: 1,
    spacing: 32,
    spec: {
      width: 220,
      height: { step: 12 },
      mark: "bar",
      encoding: {
        y: { field: "family", type: "nominal", title: null },
        yOffset: { field: "contender", type: "nominal" },
        x: {
          field: "ratio",
          type: "quantitative",
          aggregate: "median",
          title: [`times as fast as ${baselines}`, "(median over sizes)"],
        },
        color: colourOf(palette, "contender", contendersIn(values)),
      },
    },
  };
}
