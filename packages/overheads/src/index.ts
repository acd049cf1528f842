export {
  EXPERIMENT_NAMES,
  type Experiment,
  type ExperimentName,
  type Panel,
  type Program,
} from "./experiment/experiment.js";
export { EXPERIMENTS, experimentOf } from "./experiment/experiments.js";
export { eagerLimitOf, figurePoints, type FigurePoint } from "./results/figure-points.js";
export { OVERHEADS_SCHEMA, type Caller, type OverheadResults, type OverheadRow } from "./results/row.js";
export { isOverheads, parseOverheads } from "./results/schema.js";
export { measureOverheads, type Asked } from "./run/measure.js";
export { outsideOfRanks } from "./run/launch.js";
export { startedUnder, type StartedUnder } from "./run/started-under.js";
