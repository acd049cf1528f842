import { grouped, meanOf, type ResultRow } from "@stowage/bench";
import type { TopLevelSpec } from "vega-lite";
import { cellRatios, partsOf, type Parts } from "../../tables/ratios.js";
import { contendersIn, family, type Drawn } from "./figure.js";
import { colourOf, titleOf } from "./palette.js";

/** Bars of how many times as fast ours is as each MPI, a family of workloads a line; narrow enough for a phone. */
export function besideMpis({ rows, palette }: Drawn): TopLevelSpec | undefined {
  const parts = partsOf(rows);
  const values = parts.ours.flatMap((ours) => valuesOf(rows, ours, parts));
  if (values.length === 0) return undefined;
  const colour = colourOf(palette, "contender", contendersIn(values));
  return {
    data: { values },
    facet: { field: "ours", type: "nominal", title: null },
    columns: 1,
    spec: {
      layer: [
        {
          mark: "bar",
          encoding: {
            y: { field: "family", type: "nominal", title: null },
            yOffset: { field: "contender", type: "nominal" },
            x: {
              field: "ratio",
              type: "quantitative",
              scale: { type: "log", base: 2 },
              title: ["times as fast as the MPI", "(geometric mean over sizes, packed and unpacked)"],
            },
            x2: { datum: 1 },
            color: { ...colour, title: "beside" },
          },
        },
        { mark: { type: "rule", color: "#1b2a38" }, encoding: { x: { datum: 1 } } },
      ],
      width: 220,
      height: { step: 9 },
    },
  };
}

interface Value {
  readonly ours: string;
  readonly family: string;
  readonly contender: string;
  readonly ratio: number;
}

function valuesOf(rows: readonly ResultRow[], ours: string, parts: Parts): readonly Value[] {
  const ratios = cellRatios(rows, ours, parts).filter(({ against }) => parts.mpis.includes(against));
  const groups = grouped(ratios, ({ cell, against }) => JSON.stringify([family(cell.workload), against]));
  return [...groups.values()].flatMap((group): readonly Value[] => {
    const mean = meanOf(group.map(({ ratio }) => ratio));
    const [first] = group;
    if (mean === undefined || first === undefined) return [];
    const { cell, against } = first;
    return [{ ours: titleOf(ours), family: family(cell.workload), contender: against, ratio: mean.geometricMean }];
  });
}
