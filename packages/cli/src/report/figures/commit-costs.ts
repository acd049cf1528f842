import type { TopLevelSpec } from "vega-lite";
import { contendersIn, family, type Drawn } from "./figure.js";
import { colourOf } from "./palette.js";

/** What choosing and compiling cost, a workload a line. */
export function commitCosts({ rows, palette }: Drawn): TopLevelSpec | undefined {
  const values = rows
    .filter(({ commitNs, direction }) => commitNs > 0 && direction === "pack")
    .map((row) => ({ ...row, family: family(row.workload), commitUs: row.commitNs / 1e3 }));
  if (values.length === 0) return undefined;
  return {
    data: { values },
    width: 230,
    height: { step: 16 },
    mark: { type: "point", filled: true, size: 40, opacity: 0.7 },
    encoding: {
      y: { field: "family", type: "nominal", title: null },
      x: { field: "commitUs", type: "quantitative", scale: { type: "log" }, title: "commit (us), a point a size" },
      color: colourOf(palette, "contender", contendersIn(values)),
    },
  };
}
