import type { TopLevelSpec } from "vega-lite";
import { breakEven } from "../break-even.js";
import { contendersIn, family, type Drawn } from "./figure.js";
import { colourOf } from "./palette.js";

/**
 * How many calls repay the dearer commit of the faster contender (Prabhu and Gropp 2017, figure 17): a panel a slower
 * one.
 */
export function breakEvens({ runs, palette }: Drawn): TopLevelSpec | undefined {
  const values = runs
    .flatMap(({ rows }) => breakEven(rows))
    .map((entry) => ({ ...entry, family: family(entry.workload), panel: `over ${entry.over}` }));
  if (values.length === 0) return undefined;
  return {
    data: { values },
    facet: { field: "panel", type: "nominal", title: null },
    columns: 1,
    spacing: 32,
    spec: {
      width: 230,
      height: { step: 14 },
      mark: { type: "point", size: 40, strokeWidth: 2 },
      encoding: {
        y: { field: "family", type: "nominal", title: null },
        yOffset: { field: "contender", type: "nominal" },
        x: {
          field: "calls",
          type: "quantitative",
          scale: { type: "log" },
          title: ["calls until the commit is repaid", "(a point a size)"],
        },
        color: colourOf(palette, "contender", contendersIn(values)),
        shape: {
          field: "direction",
          type: "nominal",
          title: "direction",
          legend: { symbolStrokeColor: "#1b2a38", symbolFillColor: "transparent" },
        },
      },
    },
  };
}
