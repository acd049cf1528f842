export {
  EXPERIMENT_NAMES,
  type Experiment,
  type ExperimentName,
  type Panel,
  type Program,
} from "./experiment/experiment.js";
export { EXPERIMENTS, experimentOf } from "./experiment/experiments.js";
export { eagerLimitOf, figurePoints, type FigurePoint } from "./results/figure-points.js";
export { currentLoad, isTooBusy, loadText, type Load } from "./load/load.js";
export type { Finding, Verdict } from "./findings/finding.js";
export { findingsOf } from "./findings/findings.js";
export type { MeasuredLoad } from "./results/measured-load.js";
export { OVERHEADS_SCHEMA, type OverheadResults } from "./results/results.js";
export type { Caller, OverheadRow } from "./results/row.js";
export { isOverheads, parseOverheads } from "./results/schema.js";
export { measureOverheads, type Asked } from "./run/measure.js";
export { outsideOfRanks } from "./run/launch.js";
export { startedUnder, type StartedUnder } from "./run/started-under.js";
export { fitLine, interpolate, median, valueAt, type Line, type Point } from "./model/fit.js";
export { JUDGED_RANKS, MOST_FITTED_RANKS, project, type Projection } from "./model/project.js";
export { PROJECT_DEFAULTS, projectOverheads, type Projected, type ProjectOptions } from "./model/projected.js";
export {
  CAUSES,
  simulateHalo,
  type Cause,
  type ExchangeMode,
  type HaloOptions,
  type HaloTimes,
} from "./simulate/halo-exchange.js";
export { termsOf, type Terms, type Wire } from "./simulate/terms.js";
