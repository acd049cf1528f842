import { grouped, significant } from "@stowage/bench";
import {
  experimentOf,
  EXPERIMENTS,
  figurePoints,
  findingsOf,
  loadText,
  median,
  type Experiment,
  type FigurePoint,
  type OverheadResults,
  type OverheadRow,
  type Panel,
} from "@stowage/overheads";
import { align } from "../tables/align.js";

/**
 * A table a panel of each figure: what its axis counts down the side, its series across; then what becomes of the
 * paper's findings.
 */
export function overheadTables(runs: readonly OverheadResults[]): string {
  const points = figurePoints(runs.flatMap(({ rows }) => rows));
  const worlds = grouped(points, ({ mpi, ranks }) => `${mpi}, ${ranks} ${ranks === 1 ? "rank" : "ranks"}`);
  const tables = [...worlds.entries()].flatMap(([world, own]) =>
    EXPERIMENTS.flatMap((experiment) => experiment.panels.flatMap((panel) => table(world, experiment, panel, own))),
  );
  return [...tables, ...runs.flatMap(findings), ...new Set(runs.flatMap(({ remarks }) => remarks))].join("\n\n");
}

/** One text for each MPI of a run whose C programs were measured. */
function findings(run: OverheadResults): readonly string[] {
  const own = grouped(
    run.rows.filter(({ by }) => by === "c"),
    ({ mpi }) => mpi,
  );
  return [...own].map(([mpi, measured]) => {
    const known = new Set(measured.map(({ experiment }) => experiment));
    const lines = findingsOf(run, mpi)
      .filter(({ experiment }) => known.has(experiment))
      .map(
        ({ experiment, paper, verdict, says }) => `${experimentOf(experiment).section} ${paper}: ${verdict}; ${says}`,
      );
    return [`the paper's findings on ${mpi}`, ...lines, conditionsText(run, mpi, measured)].join("\n");
  });
}

/** What the figures of an MPI's C programs are worth: the other work beside them, and how far their samples spread. */
function conditionsText({ loads = [] }: OverheadResults, mpi: string, measured: readonly OverheadRow[]): string {
  const own = loads.filter((load) => load.mpi === mpi && load.by === "c");
  const [worst] = [...own].sort((a, b) => b.inUseByOthers - a.inUseByOthers);
  const beside = worst === undefined ? "other work is not known" : `at most ${loadText(worst)}`;
  const spread = median(measured.map(({ medianNs, minNs, maxNs }) => (maxNs - minNs) / medianNs)) ?? 0;
  return `measured beside: ${beside}; samples of a point spread over ${Math.round(spread * 100)} % of their median`;
}

function table(world: string, experiment: Experiment, panel: Panel, points: readonly FigurePoint[]): readonly string[] {
  const own = points.filter((point) => point.experiment === experiment.name && point.panel === panel.name);
  if (own.length === 0) return [];
  const series = [...new Set(own.map((point) => point.series))];
  const lines = [...grouped(own, ({ x }) => x).entries()]
    .sort(([a], [b]) => a - b)
    .map(([x, at]) => [
      String(x),
      ...series.map((name) => {
        const point = at.find((each) => each.series === name);
        return point === undefined ? "-" : signed(point.y);
      }),
    ]);
  const title = `${experiment.section} ${experiment.title}: ${panel.title}, ${panel.y}; ${world}`;
  return [`${title}\n${align([[panel.x, ...series], ...lines])}`];
}

const signed = (value: number): string => (value < 0 ? `-${significant(-value)}` : significant(value));
