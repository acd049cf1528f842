import { findMpis, mpiTools } from "@stowage/mpi-abi";
import { EXPERIMENT_NAMES, startedUnder, type Caller, type ExperimentName } from "@stowage/overheads";
import { basename } from "node:path";

/** As typed. */
export interface TypedOptions {
  readonly mpi?: string;
  readonly ranks?: string;
  readonly quick?: boolean;
  readonly by?: "c" | "bridge" | "both";
  readonly out?: string;
  readonly plots?: string;
  readonly json?: boolean;
}

const DEFAULT_RANKS = 2;
const MOST_RANKS = 256;

/** Throws one line that names what there is. */
export function readExperiments(typed: readonly string[]): readonly ExperimentName[] {
  if (typed.length === 0) return EXPERIMENT_NAMES;
  return typed.map((name) => {
    const found = EXPERIMENT_NAMES.find((known) => known === name);
    if (found === undefined) throw new Error(`EXPERIMENTS: expected ${EXPERIMENT_NAMES.join(", ")}, got ${name}`);
    return found;
  });
}

export const readCallers = ({ by = "both" }: TypedOptions): readonly Caller[] =>
  by === "both" ? ["c", "bridge"] : [by];

/** The worlds to measure in: as asked, as many ranks as mpirun started, or two. */
export function readRanks({ ranks }: TypedOptions, environment: NodeJS.ProcessEnv = process.env): readonly number[] {
  if (ranks === undefined) return [startedUnder(environment)?.ranks ?? DEFAULT_RANKS];
  return ranks.split(",").map((text) => {
    const value = Number(text);
    if (/^\d+$/.test(text.trim()) && value >= 1 && value <= MOST_RANKS) return value;
    throw new Error(`--ranks: expected whole numbers of 1 to ${MOST_RANKS}, such as 2 or 2,4,8, got ${ranks}`);
  });
}

/** Libraries of the MPIs to measure. Throws one line where there is none of that name. */
export function readMpis({ mpi }: TypedOptions, environment: NodeJS.ProcessEnv = process.env): readonly string[] {
  const family = startedUnder(environment)?.family;
  const found = findMpis(environment);
  if (mpi?.includes("/") === true) return findMpis({ ...environment, STOWAGE_MPI: mpi });
  const wanted = found.filter((path) => {
    const own = mpiTools(path, environment).family;
    return mpi === undefined ? family === undefined || own === family : own === mpi;
  });
  if (wanted.length > 0) return wanted;
  const here = found.map((path) => basename(path)).join(", ") || "none";
  throw new Error(`--mpi: expected ${mpi ?? "Open MPI or MPICH"} on this machine, got ${here}`);
}
