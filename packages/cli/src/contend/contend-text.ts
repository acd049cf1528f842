import type { TopLevelSpec } from "vega-lite";
import { align } from "../tables/align.js";
import type { Order, Times } from "./orders.js";

/** The papers' table: microseconds, orders in lines. */
export function contendTable(orders: readonly Order[]): string {
  const us = (times: Times | undefined): string => (times === undefined ? "-" : (times.medianNs / 1000).toFixed(1));
  return align([
    ["order", "packed by", "user us", "pack us", "total us"],
    ...orders.map(({ order, packing, user, pack, total }) => [order, packing, us(user), us(pack), us(total)]),
  ]);
}

/** Bars of the three times, an order a column of plots. */
export function contendPlot(orders: readonly Order[], title: string): TopLevelSpec {
  const values = orders.flatMap(({ order, packing, user, pack, total }) =>
    (
      [
        ["user", user],
        ["pack", pack],
        ["total", total],
      ] as const
    ).flatMap(([time, times]) => (times === undefined ? [] : [{ order, packing, time, us: times.medianNs / 1000 }])),
  );
  return {
    title,
    data: { values },
    facet: { field: "order", type: "nominal", title: null, sort: ["serialised", "user, then pack", "pack, then user"] },
    spec: {
      width: 260,
      height: { step: 14 },
      mark: "bar",
      encoding: {
        y: { field: "packing", type: "nominal", title: null, sort: null },
        yOffset: { field: "time", type: "nominal", sort: ["user", "pack", "total"] },
        x: { field: "us", type: "quantitative", title: "microseconds" },
        color: { field: "time", type: "nominal", sort: ["user", "pack", "total"], title: null },
      },
    },
  };
}
