import { grouped, meanOf, significant } from "@stowage/bench";
import { figurePoints, parseOverheads, type FigurePoint, type OverheadResults } from "@stowage/overheads";
import { print, printJson } from "../print.js";
import { readText } from "../read-text.js";
import { markdownTable } from "@stowage/bench/results";
import { machineName } from "../report/run.js";

interface Options {
  readonly plots?: string;
  readonly json?: boolean;
}

/** One MPI on one machine in one world. */
interface Side {
  readonly name: string;
  readonly machine: string;
  readonly points: readonly FigurePoint[];
}

/** A series of a panel that two sides have. */
export interface Compared {
  readonly series: string;
  readonly points: number;
  /**
   * Geometric mean of the second over the first; undefined where machines differ, for times of two are never divided.
   */
  readonly ratio: number | undefined;
  readonly first: string;
  readonly second: string;
}

/** `stowage report` of files of overheads: each MPI, machine and world beside the first that has as many ranks. */
export async function reportOverheads(files: readonly string[], { plots, json }: Options): Promise<void> {
  const runs = files.map((path) => parseOverheads(readText(path), path));
  if (plots !== undefined) await (await import("./draw.js")).drawOverheads(plots, runs);
  const compared = compareOverheads(runs);
  if (json === true) printJson(compared);
  else print(compared.map(comparisonText).join("\n\n"));
}

/** Two sides, and all that both have. */
export interface Comparison {
  readonly first: string;
  readonly second: string;
  readonly series: readonly Compared[];
}

export function compareOverheads(runs: readonly OverheadResults[]): readonly Comparison[] {
  const sides = runs.flatMap(sidesOf);
  const worlds = grouped(sides, ({ points }) => points[0]?.ranks ?? 0);
  const pairs = [...worlds.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : others.map((second) => [first, second] as const),
  );
  if (pairs.length === 0) throw new Error("FILES: expected two MPIs or two machines with as many ranks, got one");
  return pairs.map(([first, second]) => ({
    first: first.name,
    second: second.name,
    series: comparedSeries(first, second),
  }));
}

function sidesOf({ rows, machine }: OverheadResults): readonly Side[] {
  const worlds = grouped(figurePoints(rows), ({ mpi, ranks }) => `${mpi}, ${ranks} ranks`);
  const where = machineName(machine);
  return [...worlds.entries()].map(([name, points]) => ({ name: `${name}, ${where}`, machine: where, points }));
}

const seriesOf = ({ experiment, panel, series }: FigurePoint): string => `${experiment}, ${panel}: ${series}`;

function comparedSeries(first: Side, second: Side): readonly Compared[] {
  const theirs = new Map(second.points.map((point) => [JSON.stringify([seriesOf(point), point.x]), point.y]));
  return [...grouped(first.points, seriesOf).entries()].flatMap(([series, points]) => {
    const both = points.flatMap(({ x, y }) => {
      const other = theirs.get(JSON.stringify([series, x]));
      return other === undefined ? [] : [{ x, own: y, other }];
    });
    if (both.length === 0) return [];
    const ratios = both.flatMap(({ own, other }) => (own > 0 && other > 0 ? [other / own] : []));
    const ratio = first.machine === second.machine ? meanOf(ratios)?.geometricMean : undefined;
    const ends = (side: "own" | "other"): string => `${shown(both.at(0)?.[side])} to ${shown(both.at(-1)?.[side])}`;
    return [{ series, points: both.length, ratio, first: ends("own"), second: ends("other") }];
  });
}

const shown = (y = 0): string => (y < 0 ? `-${significant(-y)}` : significant(y));

function comparisonText({ first, second, series }: Comparison): string {
  const lines = series.map((each) => [
    each.series,
    String(each.points),
    each.first,
    each.second,
    each.ratio === undefined ? "-" : `${significant(each.ratio)} x`,
  ]);
  const head = ["figure", "points", first, second, "second over first"];
  return markdownTable(head, lines);
}
