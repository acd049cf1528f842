import type { ExperimentName } from "../experiment/experiment.js";
import { isTooBusy, loadText } from "../load/load.js";
import type { OverheadResults } from "../results/results.js";
import type { MeasuredLoad } from "../results/measured-load.js";
import type { Finding, Judged } from "./finding.js";
import * as judges from "./judges.js";
import { Measured } from "./measured.js";

interface Claim {
  readonly experiment: ExperimentName;
  readonly paper: string;
  readonly judge: judges.Judge;
}

/** What the paper found (Balaji et al. 2010, section 3), and who judges it. */
const CLAIMS: readonly Claim[] = [
  {
    experiment: "stack",
    paper: "MPI adds 1.1 us to its transport, and 4 us past the eager limit",
    judge: judges.judgeStack,
  },
  { experiment: "requests", paper: "requests of nonblocking calls add 0.4 us", judge: judges.judgeRequests },
  {
    experiment: "matching",
    paper: "matching grows with what is posted, and faster than linearly",
    judge: judges.judgeMatching,
  },
  {
    experiment: "waitany",
    paper: "waitany grows with its requests though the first is done",
    judge: judges.judgeWaitany,
  },
  { experiment: "datatypes", paper: "every other element costs more, chars most", judge: judges.judgeDatatypes },
  { experiment: "alignment", paper: "ints across a double word cost 10 %", judge: judges.judgeAlignment },
  { experiment: "unexpected", paper: "a message costs more behind unexpected ones", judge: judges.judgeUnexpected },
  {
    experiment: "threads",
    paper: "one thread is slower than one process, and more threads are no faster",
    judge: judges.judgeThreads,
  },
  { experiment: "checking", paper: "checks cost 5 % of a short message", judge: judges.judgeChecking },
  {
    experiment: "sparse",
    paper: "no checks, no modulo and two counts at a time each help",
    judge: judges.judgeSparse,
  },
];

/** What a finding is drawn from. */
export type Evidence = Pick<OverheadResults, "rows" | "loads">;

/**
 * The paper's findings on one MPI of one machine, as its C programs decide. Where other work had their processors, no
 * figure of theirs decides anything.
 */
export const findingsOf = ({ rows, loads = [] }: Evidence, mpi: string): readonly Finding[] =>
  CLAIMS.map(({ experiment, paper, judge }) => {
    const own = rows.filter((row) => row.mpi === mpi && row.experiment === experiment && row.by === "c");
    const disturbed = loads.find(
      (load) =>
        load.mpi === mpi && load.by === "c" && load.experiments.includes(experiment) && isTooBusy(load, load.ranks),
    );
    const verdict = judge(new Measured(own));
    return { experiment, paper, ...(disturbed === undefined ? verdict : besideOtherWork(verdict, disturbed)) };
  });

const besideOtherWork = ({ says }: Judged, load: MeasuredLoad): Judged => ({
  verdict: "not known",
  says: `cannot be told, ${loadText(load)}: ${says}`,
});
