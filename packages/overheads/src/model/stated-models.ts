import type { ExperimentName } from "../experiment/experiment.js";

/**
 * How one panel of an experiment is predicted for more ranks.
 *
 * - "constant": each place of the axis keeps its own time, whatever the ranks. Where the axis counts what grows with
 *   the ranks, straight lines between places tell the rest: a queue that outgrows a cache has more than one slope.
 * - "line": base + slope x, where the axis is the ranks.
 * - "queue": base + slope x, where the slope is that of another panel, or 0 for an MPI that has a queue for each peer:
 *   whichever is nearer.
 */
export interface StatedModel {
  readonly experiment: ExperimentName;
  readonly panel: string;
  readonly form: "constant" | "line" | "queue";
  /** What x is of so many ranks, where it grows with them. */
  readonly xOfRanks?: (ranks: number) => number;
  /** The panel that has a queue's slope. */
  readonly slopeOf?: string;
  /** In words, for tables. */
  readonly says: string;
}

const onePerPeer = (ranks: number): number => ranks - 1;
const itself = (ranks: number): number => ranks;

const constant = (experiment: ExperimentName, panel: string, says: string): StatedModel => ({
  ...{ experiment, panel, form: "constant", says },
});
const places = (experiment: ExperimentName, panel: string, says: string): StatedModel => ({
  ...{ experiment, panel, form: "constant", says, xOfRanks: onePerPeer },
});
const queue = (experiment: ExperimentName, panel: string, slopeOf: string, says: string): StatedModel => ({
  ...{ experiment, panel, form: "queue", says, slopeOf, xOfRanks: onePerPeer },
});
const line = (experiment: ExperimentName, panel: string, says: string): StatedModel => ({
  ...{ experiment, panel, form: "line", says, xOfRanks: itself },
});

/** The model of each overhead. What is not listed is made of these. */
export const STATED_MODELS: readonly StatedModel[] = [
  constant("stack", "latency", "a message costs the same in any world"),
  constant("requests", "latency", "a request costs the same in any world"),
  places("matching", "requests", "so many receives posted before cost the same in any world; one a peer"),
  queue("matching", "peers", "requests", "base + slope x peers with a receive posted before, in one queue or one each"),
  places("waitany", "requests", "so many requests cost the same in any world; one a peer"),
  constant("datatypes", "short", "packing is local"),
  constant("datatypes", "long", "packing is local"),
  constant("alignment", "latency", "packing is local"),
  places("unexpected", "messages", "so many messages that wait cost the same in any world; one a peer"),
  queue("unexpected", "peers", "messages", "base + slope x peers with a message waiting, in one queue or one each"),
  constant("threads", "message", "a call that sends nothing is local"),
  constant("checking", "latency", "checks of a message are local"),
  line("sparse", "alltoallv", "base + slope x ranks"),
  line("sparse", "loop", "base + slope x counts, one a rank"),
  constant("sparse", "peers", "an exchange with so many neighbours costs the same in any world"),
];
