import { grouped } from "@stowage/bench";
import { fitBase, fitLine, interpolate, median, misfit, valueAt, type Line, type Place } from "./fit.js";
import type { StatedModel } from "./stated-models.js";

/** A stated model with its numbers. */
export interface Predictor {
  readonly line?: Line;
  /** Undefined where nothing is known of that place. */
  at(x: number): number | undefined;
  ofRanks(ranks: number): number;
}

/** Fits a model to places of small worlds; `slopePlaces`: of the panel that a queue has its slope of. */
export function predictorOf(model: StatedModel, fitted: readonly Place[], slopePlaces: readonly Place[]): Predictor {
  switch (model.form) {
    case "constant":
      return constantPredictor(model, fitted);
    case "line":
      return linePredictor(model, fitLine(fitted));
    case "queue":
      return linePredictor(model, nearerOf([0, fitLine(slopePlaces).slope], fitted));
  }
}

const linePredictor = ({ xOfRanks = (ranks) => ranks }: StatedModel, line: Line): Predictor => ({
  line,
  at: (x) => valueAt(line, x),
  ofRanks: (ranks) => valueAt(line, xOfRanks(ranks)),
});

function nearerOf(slopes: readonly number[], fitted: readonly Place[]): Line {
  const lines = slopes.map((slope) => fitBase(fitted, slope));
  return lines.reduce((best, line) => (misfit(line, fitted) < misfit(best, fitted) ? line : best));
}

/** Of each place the median of the worlds; of any number of ranks that of the first place, or of where they stand on the axis. */
function constantPredictor({ xOfRanks }: StatedModel, fitted: readonly Place[]): Predictor {
  const places = [...grouped(fitted, ({ x }) => x)]
    .map(([x, own]): Place => ({ x, y: median(own.map(({ y }) => y)) as number }))
    .sort((a, b) => a.x - b.x);
  return {
    at: (x) => places.find((place) => place.x === x)?.y,
    ofRanks: (ranks) => (xOfRanks === undefined ? (places[0] as Place).y : interpolate(places, xOfRanks(ranks))),
  };
}
