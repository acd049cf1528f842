import { findMpis, mpiTools } from "@stowage/mpi-abi";
import {
  EXPERIMENT_NAMES,
  PROJECT_DEFAULTS,
  startedUnder,
  type Caller,
  type ExperimentName,
  type ProjectOptions,
} from "@stowage/overheads";
import { basename } from "node:path";

/** As read from the command line. */
export interface TypedOptions {
  readonly mpi?: string;
  readonly ranks?: readonly number[];
  readonly quick?: boolean;
  readonly despiteLoad?: boolean;
  readonly by?: "c" | "bridge" | "both";
  readonly project?: number;
  readonly from?: readonly string[];
  readonly wire?: NonNullable<ProjectOptions["wire"]>;
  readonly grid?: number;
  readonly out?: string;
  readonly plots?: string;
  readonly json?: boolean;
}

const DEFAULT_RANKS = 2;
/** Worlds to fit models on, and the one that they are judged at. */
const PROJECTED_FROM = [2, 4, 8, 16] as const;

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
export function readRanks(
  { ranks, project }: TypedOptions,
  environment: NodeJS.ProcessEnv = process.env,
): readonly number[] {
  if (ranks !== undefined) return ranks;
  return project === undefined ? [startedUnder(environment)?.ranks ?? DEFAULT_RANKS] : PROJECTED_FROM;
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

/** What --project and its kin ask for; undefined where nothing is projected. */
export function readProject({
  project: ranks,
  wire,
  grid: gridPoints = PROJECT_DEFAULTS.gridPoints,
}: TypedOptions): ProjectOptions | undefined {
  if (ranks === undefined) return undefined;
  return { ...PROJECT_DEFAULTS, ranks, gridPoints, ...(wire === undefined ? {} : { wire }) };
}
