import {
  eagerLimitOf,
  figurePoints,
  type Experiment,
  type FigurePoint,
  type OverheadResults,
  type Panel,
} from "@stowage/overheads";
import type { TopLevelSpec } from "vega-lite";
import { plotColours } from "../report/figures/palette.js";
import { machineName } from "../report/run.js";

type PanelSpec = Extract<TopLevelSpec, { hconcat: unknown }>["hconcat"][number];

const PANEL = { width: 340, height: 240 };
/** Points have no dashes of their own to show. */
const DASHES = {
  symbolType: "stroke",
  symbolSize: 300,
  encoding: { symbols: { stroke: { value: "#1b2a38" }, strokeWidth: { value: 2 } } },
} as const;
/** A panel whose points are one a world, where others show the largest world alone. */
const BY_WORLD = "alltoallv";
const EAGER_LIMIT = "eager limit";

interface Value extends FigurePoint {
  readonly run: string;
}

/**
 * The figure of one experiment, its panels side by side as the paper has them; undefined where nothing was measured.
 */
export function overheadFigure(experiment: Experiment, runs: readonly OverheadResults[]): TopLevelSpec | undefined {
  const values = runs.flatMap((run) => valuesOf(run, runs)).filter((value) => value.experiment === experiment.name);
  const panels = experiment.panels
    .filter(({ name }) => name !== EAGER_LIMIT)
    .flatMap((panel) => {
      const own = values.filter((value) => value.panel === panel.name);
      return own.length === 0
        ? []
        : [panelSpec(panel, own, panel.name === "latency" ? eagerLimits(experiment, runs) : [])];
    });
  if (panels.length === 0) return undefined;
  return {
    title: `${experiment.section} ${experiment.title}`,
    hconcat: panels,
    resolve: { scale: { color: "independent", strokeDash: "independent" } },
    config: { view: { stroke: "#d5dbe1" }, legend: { labelLimit: 0 } },
  };
}

/**
 * The values of each MPI's largest world that has a core for each rank, or of its smallest world; where worlds are the
 * axis, of all.
 */
function valuesOf(run: OverheadResults, runs: readonly OverheadResults[]): readonly Value[] {
  const points = figurePoints(run.rows);
  const machines = new Set(runs.map(({ machine }) => machineName(machine)));
  const most = new Map<string, number>();
  const fits = (ranks: number): boolean => ranks <= run.machine.cores;
  for (const { mpi, ranks } of points) {
    const known = most.get(mpi);
    const isBetter = known === undefined || (fits(ranks) ? ranks > known || !fits(known) : ranks < known);
    if (isBetter) most.set(mpi, ranks);
  }
  return points
    .filter(({ mpi, ranks, panel }) => panel === BY_WORLD || ranks === most.get(mpi))
    .map((point) => {
      const world = point.panel === BY_WORLD ? point.mpi : `${point.mpi}, ${point.ranks} ranks`;
      return { ...point, run: machines.size > 1 ? `${world}, ${machineName(run.machine)}` : world };
    });
}

/** Each run's lines have dashes of their own: longer ones a run, each length once with a dot behind it. */
function dashOf(runs: readonly string[]) {
  const range = runs.map((_, i) => {
    if (i === 0) return [1, 0];
    const dash = 2 * Math.ceil(i / 2);
    return i % 2 === 1 ? [dash, 2] : [dash, 2, 1, 2];
  });
  return { field: "run", type: "nominal" as const, title: null, scale: { domain: runs, range }, legend: DASHES };
}

const eagerLimits = (experiment: Experiment, runs: readonly OverheadResults[]): readonly number[] =>
  experiment.name !== "stack"
    ? []
    : runs.flatMap(({ rows }) =>
        [...new Set(rows.map(({ mpi }) => mpi))].flatMap((mpi) => eagerLimitOf(rows, mpi) ?? []),
      );

function panelSpec(panel: Panel, values: readonly Value[], limits: readonly number[]): PanelSpec {
  const series = [...new Set(values.map((value) => value.series))];
  const runs = [...new Set(values.map(({ run }) => run))];
  const isLog = panel.scale === "log" && values.every(({ x }) => x > 0);
  const spansDecades = isLog && values.every(({ y }) => y > 0);
  const lines = {
    data: { values },
    mark: { type: "line" as const, point: { size: 22 } },
    encoding: {
      x: {
        field: "x",
        type: "quantitative" as const,
        title: panel.x,
        scale: isLog ? { type: "log" as const, base: 2 } : { zero: true },
        axis: { tickCount: 8 },
      },
      y: {
        field: "y",
        type: "quantitative" as const,
        title: panel.y,
        scale: spansDecades ? { type: "log" as const } : { zero: true },
      },
      color: {
        field: "series",
        type: "nominal" as const,
        title: null,
        sort: series,
        scale: { domain: series, range: plotColours(series.length) },
      },
      ...(runs.length > 1 ? { strokeDash: dashOf(runs) } : {}),
    },
  };
  const rules = {
    data: { values: limits.map((x) => ({ x })) },
    mark: { type: "rule" as const, strokeDash: [3, 3], color: "#5f6b76" },
    encoding: { x: { field: "x", type: "quantitative" as const } },
  };
  return { title: panel.title, ...PANEL, layer: limits.length === 0 ? [lines] : [lines, rules] };
}
