import type { ExperimentName } from "../experiment/experiment.js";

/**
 * How one panel of an experiment is predicted for more ranks. "constant": each place of the axis keeps its own time,
 * whatever the ranks. "line": base + slope x, where the axis counts what grows with the ranks.
 */
export interface StatedModel {
  readonly experiment: ExperimentName;
  readonly panel: string;
  readonly form: "constant" | "line";
  /** What x is of so many ranks, for lines. Default: one a peer. */
  readonly xOfRanks?: (ranks: number) => number;
  /** In words, for tables. */
  readonly says: string;
}

const onePerPeer = (ranks: number): number => ranks - 1;
const itself = (ranks: number): number => ranks;

const constant = (experiment: ExperimentName, panel: string, says: string): StatedModel => ({
  ...{ experiment, panel, form: "constant", says },
});
const line = (experiment: ExperimentName, panel: string, says: string, xOfRanks = onePerPeer): StatedModel => ({
  ...{ experiment, panel, form: "line", says, xOfRanks },
});

/** The model of each overhead. What is not listed is made of these. */
export const STATED_MODELS: readonly StatedModel[] = [
  constant("stack", "latency", "a message costs the same in any world"),
  constant("requests", "latency", "a request costs the same in any world"),
  line("matching", "requests", "base + slope x receives posted before, one a peer"),
  line("matching", "peers", "base + slope x peers that each have one receive posted before"),
  line("waitany", "requests", "base + slope x requests, one a peer"),
  constant("datatypes", "short", "packing is local"),
  constant("datatypes", "long", "packing is local"),
  constant("alignment", "latency", "packing is local"),
  line("unexpected", "messages", "base + slope x messages that wait, one a peer"),
  line("unexpected", "peers", "base + slope x peers of which each has one message waiting"),
  constant("threads", "message", "a call that sends nothing is local"),
  constant("checking", "latency", "checks of a message are local"),
  line("sparse", "alltoallv", "base + slope x ranks", itself),
  line("sparse", "loop", "base + slope x counts, one a rank", itself),
];
