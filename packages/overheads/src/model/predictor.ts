import { grouped } from "@stowage/bench";
import { fitBase, fitLine, interpolate, median, misfit, valueAt, type Line, type Point } from "./fit.js";
import type { StatedModel } from "./stated-models.js";

/** A stated model with its numbers. */
export interface Predictor {
  readonly line?: Line;
  /** Undefined where nothing is known of that point. */
  at(x: number): number | undefined;
  ofRanks(ranks: number): number;
}

/** Fits a model to points of small worlds; `slopePoints`: of the panel that a queue has its slope of. */
export function predictorOf(model: StatedModel, fitted: readonly Point[], slopePoints: readonly Point[]): Predictor {
  switch (model.form) {
    case "constant":
      return constantPredictor(model, fitted);
    case "line":
      return linePredictor(model, fitLine(fitted));
    case "queue":
      return linePredictor(model, nearerOf([0, fitLine(slopePoints).slope], fitted));
  }
}

const linePredictor = ({ xOfRanks = (ranks) => ranks }: StatedModel, line: Line): Predictor => ({
  line,
  at: (x) => valueAt(line, x),
  ofRanks: (ranks) => valueAt(line, xOfRanks(ranks)),
});

function nearerOf(slopes: readonly number[], fitted: readonly Point[]): Line {
  const lines = slopes.map((slope) => fitBase(fitted, slope));
  return lines.reduce((best, line) => (misfit(line, fitted) < misfit(best, fitted) ? line : best));
}

/**
 * At each point it gives the median of the worlds; at any number of ranks the first point's value, or the value where
 * these ranks stand on the axis.
 */
function constantPredictor({ xOfRanks }: StatedModel, fitted: readonly Point[]): Predictor {
  const points = [...grouped(fitted, ({ x }) => x)]
    .map(([x, own]): Point => ({ x, y: median(own.map(({ y }) => y)) as number }))
    .sort((a, b) => a.x - b.x);
  return {
    at: (x) => points.find((point) => point.x === x)?.y,
    ofRanks: (ranks) => (xOfRanks === undefined ? (points[0] as Point).y : interpolate(points, xOfRanks(ranks))),
  };
}
