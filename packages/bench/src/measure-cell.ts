import type { Cell } from "./cell/cell.js";
import { commitTimes } from "./commit-time.js";
import type { Contender, Prepared } from "./contender.js";
import { MODES, type CellMode, type ResultRow } from "./results/row.js";
import { DEFAULT_SAMPLING, sampleInTurns, type Sampling, type Times } from "./sample.js";

interface Entry {
  readonly contender: Contender;
  readonly prepared: Prepared;
}

/** To choose and compile, of a row. */
type CommitTime = Pick<ResultRow, "commitNs" | "commitMinNs">;

/** One contender in one mode. */
interface Timed extends Entry {
  readonly mode: CellMode;
  readonly run: () => void;
}

/** What a cell gave: a row for each contender that took part in each mode that it has, and why others did not. */
export interface Measured {
  /** The rows, verified. */
  readonly rows: readonly ResultRow[];
  /** One line for each contender that did not take part: its name and its reason. */
  readonly refusals: readonly string[];
}

/** How a cell is measured. */
export interface MeasureOptions extends Partial<Sampling> {
  /** The modes that are measured. Default: all that a contender has. */
  readonly modes?: readonly CellMode[];
}

/**
 * Runs every contender in every mode and checks its bytes, times them interleaved, then checks the bytes again. Throws
 * a WrongBytesError where a contender moved other bytes.
 */
export function measureCell(
  cell: Cell,
  contenders: readonly Contender[],
  { modes = MODES, ...sampling }: MeasureOptions = {},
): Measured {
  const refusals: string[] = [];
  const entries: Entry[] = [];
  try {
    for (const contender of contenders) {
      const prepared = contender.prepare(cell);
      if ("reason" in prepared) refusals.push(`${contender.name}: ${prepared.reason}`);
      else entries.push({ contender, prepared });
    }
    const timed = entries.flatMap((entry) => timedModes(entry, modes));
    for (const { run, prepared } of timed) {
      run();
      prepared.verify();
    }
    const times = sampleInTurns(
      timed.map(({ run }) => run),
      { ...DEFAULT_SAMPLING, ...sampling },
    );
    const commits = commitsOf(entries);
    const rows = timed.map((each, i) => ({
      ...describe(cell, each),
      ...(commits.get(each.prepared) ?? { commitNs: 0 }),
      ...(times[i] as Times),
    }));
    for (const { prepared } of entries) prepared.verify();
    return { refusals, rows };
  } finally {
    for (const { prepared } of entries) prepared[Symbol.dispose]();
  }
}

/** Those that were prepared have been committed once: what a process does at its first commit is not among these. */
function commitsOf(entries: readonly Entry[]): ReadonlyMap<Prepared, CommitTime> {
  const committing = entries.flatMap(({ prepared }) =>
    prepared.commit === undefined ? [] : [{ prepared, commit: prepared.commit }],
  );
  const times = commitTimes(committing.map(({ commit }) => commit));
  return new Map(
    committing.map(({ prepared }, i) => {
      const { medianNs: commitNs, minNs: commitMinNs } = times[i] as Times;
      return [prepared, { commitNs, commitMinNs }];
    }),
  );
}

function timedModes(entry: Entry, modes: readonly CellMode[]): readonly Timed[] {
  const { prepared } = entry;
  const runs: Readonly<Record<CellMode, (() => void) | undefined>> = {
    call: prepared.call && (() => prepared.call?.()),
    bound: () => prepared.run(),
  };
  return modes.flatMap((mode) => {
    const run = runs[mode];
    return run === undefined ? [] : [{ ...entry, mode, run }];
  });
}

function describe(cell: Cell, { contender, prepared, mode }: Timed): Omit<ResultRow, keyof Times | keyof CommitTime> {
  const { workload, count, packedBytes, direction } = cell;
  const { name, route } = contender;
  return {
    ...{ workload, count, packedBytes, direction, route, contender: name, mode },
    verified: true,
    ...(prepared.eventNs === undefined || mode !== "bound" ? {} : { eventNs: prepared.eventNs() }),
  };
}
