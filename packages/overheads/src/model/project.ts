import { grouped } from "@stowage/bench";
import type { ExperimentName } from "../experiment/experiment.js";
import type { OverheadRow } from "../results/row.js";
import { fitLine, valueAt, type Line, type Place } from "./fit.js";
import { STATED_MODELS, type StatedModel } from "./stated-models.js";

/** Worlds that models are fitted on, at most, and the one that they are judged at. */
export const MOST_FITTED_RANKS = 8;
export const JUDGED_RANKS = 16;

/** One series of one panel, predicted for more ranks, and how far predictions were from what was measured. */
export interface Projection {
  readonly mpi: string;
  readonly experiment: ExperimentName;
  readonly panel: string;
  readonly series: string;
  readonly says: string;
  /** Of a line. */
  readonly line?: Line;
  readonly fittedRanks: readonly number[];
  /** At the judged world, of every place that was measured there: |predicted - measured| / measured. */
  readonly errors: readonly number[];
  readonly predicted: readonly { readonly ranks: number; readonly ns: number }[];
}

/** Every stated model on every series that was measured in worlds small enough to fit. `rankCounts`: what to predict. */
export function project(rows: readonly OverheadRow[], rankCounts: readonly number[]): readonly Projection[] {
  const groups = grouped(rows, ({ mpi, experiment, panel, series }) =>
    JSON.stringify([mpi, experiment, panel, series]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    const model = STATED_MODELS.find((each) => each.experiment === first?.experiment && each.panel === first.panel);
    return model === undefined ? [] : projectSeries(model, group, rankCounts);
  });
}

function projectSeries(
  model: StatedModel,
  rows: readonly OverheadRow[],
  rankCounts: readonly number[],
): readonly Projection[] {
  const fitted = rows.filter(({ ranks }) => ranks <= MOST_FITTED_RANKS);
  const judged = rows.filter(({ ranks }) => ranks === JUDGED_RANKS).map(placeOf);
  const [first] = fitted;
  if (first === undefined) return [];
  const { mpi, experiment, panel, series } = first;
  const predictor = model.form === "line" ? linePredictor(model, fitted) : constantPredictor(fitted);
  const errors = judged.flatMap(({ x, y }) => {
    const predicted = predictor.at(x);
    return predicted === undefined || y === 0 ? [] : [Math.abs(predicted - y) / y];
  });
  const fittedRanks = [...new Set(fitted.map(({ ranks }) => ranks))].sort((a, b) => a - b);
  const predicted = rankCounts.map((ranks) => ({ ranks, ns: predictor.ofRanks(ranks) }));
  const line = predictor.line === undefined ? {} : { line: predictor.line };
  return [{ mpi, experiment, panel, series, says: model.says, ...line, fittedRanks, errors, predicted }];
}

const placeOf = ({ x, medianNs }: OverheadRow): Place => ({ x, y: medianNs });

interface Predictor {
  readonly line?: Line;
  at(x: number): number | undefined;
  ofRanks(ranks: number): number;
}

function linePredictor({ xOfRanks = (ranks) => ranks }: StatedModel, fitted: readonly OverheadRow[]): Predictor {
  const line = fitLine(fitted.map(placeOf));
  return { line, at: (x) => valueAt(line, x), ofRanks: (ranks) => valueAt(line, xOfRanks(ranks)) };
}

/** Of each place the median of the worlds; of any number of ranks that of the first place. */
function constantPredictor(fitted: readonly OverheadRow[]): Predictor {
  const places = grouped(fitted, ({ x }) => x);
  const at = (x: number): number | undefined => median(places.get(x)?.map(({ medianNs }) => medianNs));
  const first = at(Math.min(...places.keys())) ?? 0;
  return { at, ofRanks: () => first };
}

export function median(values: readonly number[] | undefined): number | undefined {
  if (values === undefined || values.length === 0) return undefined;
  const sorted = [...values].sort((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return ((low as number) + (high as number)) / 2;
}
