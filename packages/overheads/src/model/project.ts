import { grouped } from "@stowage/bench";
import type { ExperimentName } from "../experiment/experiment.js";
import type { Caller, OverheadRow } from "../results/row.js";
import type { Line, Point } from "./fit.js";
import { predictorOf } from "./predictor.js";
import { STATED_MODELS, type StatedModel } from "./stated-models.js";

/** The most ranks of the worlds that models are fitted on. */
export const MOST_FITTED_RANKS = 8;
/** The number of ranks of the world that models are judged by. */
export const JUDGED_RANKS = 16;

/** One series of one panel, predicted for more ranks, and how far predictions were from what was measured. */
export interface Projection {
  readonly mpi: string;
  readonly experiment: ExperimentName;
  readonly panel: string;
  readonly series: string;
  readonly by: Caller;
  /** The model, in words. */
  readonly says: string;
  /** The line, of a model that is one, in nanoseconds. */
  readonly line?: Line;
  /** The numbers of ranks of the worlds that it was fitted on, ascending. */
  readonly fittedRanks: readonly number[];
  /** The relative error, |predicted - measured| / measured, of every point that was measured in the judged world. */
  readonly errors: readonly number[];
  /** The predicted time for each number of ranks that was asked for. */
  readonly predicted: readonly { readonly ranks: number; readonly ns: number }[];
}

/**
 * Fits every stated model to every series that was measured in worlds of at most MOST_FITTED_RANKS, and predicts the
 * times for the numbers of ranks in `rankCounts`.
 */
export function project(rows: readonly OverheadRow[], rankCounts: readonly number[]): readonly Projection[] {
  const groups = grouped(rows, keyOf);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    const model = STATED_MODELS.find((each) => each.experiment === first?.experiment && each.panel === first.panel);
    if (first === undefined || model === undefined) return [];
    const ofSlope = groups.get(keyOf({ ...first, panel: model.slopeOf ?? "" })) ?? [];
    return projectSeries(model, group, ofSlope, rankCounts);
  });
}

const keyOf = ({ mpi, experiment, panel, series }: OverheadRow): string =>
  JSON.stringify([mpi, experiment, panel, series]);

const isFitted = ({ ranks }: OverheadRow): boolean => ranks <= MOST_FITTED_RANKS;

function projectSeries(
  model: StatedModel,
  rows: readonly OverheadRow[],
  ofSlope: readonly OverheadRow[],
  rankCounts: readonly number[],
): readonly Projection[] {
  const fitted = rows.filter(isFitted);
  const judged = rows.filter(({ ranks }) => ranks === JUDGED_RANKS).map(pointOf);
  const [first] = fitted;
  if (first === undefined) return [];
  const { mpi, experiment, panel, series, by } = first;
  const predictor = predictorOf(model, fitted.map(pointOf), ofSlope.filter(isFitted).map(pointOf));
  const errors = judged.flatMap(({ x, y }) => {
    const predicted = predictor.at(x);
    return predicted === undefined || y === 0 ? [] : [Math.abs(predicted - y) / y];
  });
  const fittedRanks = [...new Set(fitted.map(({ ranks }) => ranks))].sort((a, b) => a - b);
  const predicted = rankCounts.map((ranks) => ({ ranks, ns: predictor.ofRanks(ranks) }));
  const line = predictor.line === undefined ? {} : { line: predictor.line };
  return [{ mpi, experiment, panel, series, by, says: model.says, ...line, fittedRanks, errors, predicted }];
}

const pointOf = ({ x, medianNs }: OverheadRow): Point => ({ x, y: medianNs });
