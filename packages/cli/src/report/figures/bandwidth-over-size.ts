import { bandwidth } from "@stowage/bench";
import type { TopLevelSpec } from "vega-lite";
import { contendersIn, family, type Drawn } from "./figure.js";
import { colourOf } from "./palette.js";

const POWERS_OF_FOUR = Array.from({ length: 14 }, (_, i) => 4 ** (i + 3));
const BYTES_AXIS = {
  labelExpr:
    "datum.value < 1024 ? datum.value + ' B' : datum.value < 1048576 ? datum.value / 1024 + ' KiB' : datum.value / 1048576 + ' MiB'",
  values: POWERS_OF_FOUR,
  labelAngle: -40,
  labelOverlap: "greedy" as const,
};
/** Between panels, so that the last label of one and the first of the next do not meet. */
const SPACING = { row: 20, column: 36 };

/** One small plot a family of workloads, two side by side: a line a contender, by packed size. */
export function bandwidthOverSize({ rows, palette }: Drawn): TopLevelSpec | undefined {
  const values = rows.map((row) => ({ ...row, family: family(row.workload), gigabytesPerSecond: bandwidth(row) }));
  if (new Set(values.map(({ packedBytes }) => packedBytes)).size < 2) return undefined;
  return {
    data: { values },
    facet: { field: "family", type: "nominal", title: null },
    columns: 2,
    spacing: SPACING,
    spec: {
      width: 130,
      height: 100,
      mark: { type: "line", point: { size: 18 } },
      encoding: {
        x: {
          field: "packedBytes",
          type: "quantitative",
          title: "packed size",
          scale: { type: "log", base: 2 },
          axis: BYTES_AXIS,
        },
        y: { field: "gigabytesPerSecond", type: "quantitative", title: "GB/s", aggregate: "median" },
        color: colourOf(palette, "contender", contendersIn(values)),
        strokeDash: {
          field: "direction",
          type: "nominal",
          title: "direction",
          // The base colour alone would leave lines without one: the points on them have a fill.
          legend: {
            symbolType: "stroke",
            symbolSize: 400,
            encoding: { symbols: { stroke: { value: "#1b2a38" }, strokeWidth: { value: 2 } } },
          },
        },
      },
    },
    config: { view: { stroke: "#d5dbe1" } },
  };
}
