import { wholeNumber } from "../whole-number.js";
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

/** As typed. */
export interface TypedOptions {
  readonly mpi?: string;
  readonly ranks?: string;
  readonly quick?: boolean;
  readonly by?: "c" | "bridge" | "both";
  readonly project?: string;
  readonly from?: readonly string[];
  readonly wire?: string;
  readonly grid?: string;
  readonly out?: string;
  readonly plots?: string;
  readonly json?: boolean;
}

const DEFAULT_RANKS = 2;
/** Worlds to fit models on, and the one that they are judged at. */
const PROJECTED_FROM = [2, 4, 8, 16] as const;
const MOST_PROJECTED = 2 ** 20;
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
export function readRanks(
  { ranks, project }: TypedOptions,
  environment: NodeJS.ProcessEnv = process.env,
): readonly number[] {
  if (ranks === undefined && project !== undefined) return PROJECTED_FROM;
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

/** What --project and its kin ask for; undefined where nothing is projected. */
export function readProject({
  project,
  from,
  wire,
  grid = String(PROJECT_DEFAULTS.gridPoints),
}: TypedOptions): ProjectOptions | undefined {
  if (project === undefined) {
    if (from !== undefined) throw new Error(`--from: expected --project beside it, got ${from.join(" ")} alone`);
    return undefined;
  }
  const ranks = wholeNumber("--project", project, MOST_PROJECTED);
  const gridPoints = wholeNumber("--grid", grid, MOST_PROJECTED);
  return { ...PROJECT_DEFAULTS, ranks, gridPoints, ...(wire === undefined ? {} : { wire: readWire(wire) }) };
}

/** GB/s are bytes a nanosecond. */
function readWire(text: string): NonNullable<ProjectOptions["wire"]> {
  const [wireNs = NaN, gigabytesPerSecond = NaN, ...rest] = text.split(",").map(Number);
  if (wireNs >= 0 && gigabytesPerSecond > 0 && rest.length === 0)
    return { wireNs, wireNsPerByte: 1 / gigabytesPerSecond };
  throw new Error(`--wire: expected nanoseconds and GB/s, such as 1500,25, got ${text}`);
}
