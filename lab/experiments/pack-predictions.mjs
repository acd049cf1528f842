import { packPlot } from "../dist/applications/application-plots.js";
import { packPoints } from "../dist/applications/latency.js";
import { grouped, formatBytes, formatNs } from "@stowage/bench";
import { rowsTable } from "@stowage/bench/results";
import { parseProfile, profileOf } from "@stowage/selector";
import { readFileSync } from "node:fs";

const pointsOf = (rows) => rows.map(({ workload, contender, ...point }) => ({ ...point, series: contender }));

export default {
  name: "pack-predictions",
  question:
    "What does a profile predict packs and unpacks to take, by object and block? (Pearson et al. 2021, figure 10)",
  kind: "figures",
  options: {
    profile: { kind: "text", says: "a profile of `stowage calibrate`", byDefault: "results/h200/profile.json" },
  },
  trial: {},
  *cells({ profile }) {
    yield {
      label: { workload: "packs" },
      points: packPoints(profileOf(parseProfile(readFileSync(profile, "utf8"), profile))),
    };
  },
  contenders: () => ({}),
  run: (_, { points }) => ({ points }),
  rows: (_, { points }) =>
    points.map(({ series, ...point }) => ({ workload: `${point.bytes} bytes`, contender: series, ...point })),
  text: (rows) =>
    rowsTable(
      [...grouped(pointsOf(rows), ({ bytes, blockBytes }) => `${bytes} ${blockBytes}`).values()].map((own) => ({
        object: formatBytes(own[0].bytes),
        blocks: `${own[0].blockBytes} B`,
        ...Object.fromEntries(own.map(({ series, ns }) => [series, formatNs(ns)])),
      })),
    ),
  plot: (rows) => packPlot(pointsOf(rows)),
};
