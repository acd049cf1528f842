import type { TopLevelSpec } from "vega-lite";
import { grouped } from "@stowage/bench";
import type { RegretRow } from "./cell-regret.js";

const MOST_SHOWN = 4;

/**
 * The share of cells whose regret is at most so much, of the choice and of the fixed list: a panel a route and number
 * of uses.
 */
export function regretPlot(rows: readonly RegretRow[], title: string): TopLevelSpec {
  return {
    title,
    data: { values: curves(rows) },
    facet: {
      row: { field: "route", type: "nominal", title: null },
      column: { field: "uses", type: "nominal", title: "uses", sort: null },
    },
    spec: {
      width: 200,
      height: 150,
      mark: { type: "line", interpolate: "step-after" },
      encoding: {
        x: {
          field: "regret",
          type: "quantitative",
          title: "time over the best's, at most",
          scale: { type: "log", base: 2, domain: [1, MOST_SHOWN], clamp: true },
        },
        y: { field: "share", type: "quantitative", title: "cells", axis: { format: ".0%" }, scale: { zero: false } },
        color: {
          field: "by",
          type: "nominal",
          title: "chosen by",
          scale: { range: ["#0c4a86", "#d1701f", "#2f8f4e"] },
        },
      },
    },
    config: { view: { stroke: "#d5dbe1" } },
  };
}

const WAYS = [
  ["predicted time", ({ regret }: RegretRow) => regret],
  ["the fixed list", ({ listRegret }: RegretRow) => listRegret],
  ["counting uses", ({ tieringRegret }: RegretRow) => tieringRegret],
] as const;

function curves(rows: readonly RegretRow[]) {
  const panels = grouped(rows, ({ route, mode, uses }) => `${route}, ${mode}|${uses}`);
  return [...panels].flatMap(([name, same]) =>
    WAYS.flatMap(([by, of]) => {
      const [route = "", uses = ""] = name.split("|");
      const sorted = same
        .map(of)
        .filter((value) => !Number.isNaN(value))
        .sort((a, b) => a - b);
      return sorted.map((regret, i) => ({ route, uses: Number(uses), by, regret, share: (i + 1) / sorted.length }));
    }),
  );
}
