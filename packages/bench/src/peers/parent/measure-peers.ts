import { createHash } from "node:crypto";
import type { Benched } from "../../asked.js";
import { expectedScatter, type Cell } from "../../cell/cell.js";
import type { CellMode, ResultRow } from "../../results/row.js";
import { summarise } from "../../sample.js";
import type { Subject } from "../../workloads/subject.js";
import { CANARY } from "../child/cell-memory.js";
import { askEntry, type Entry } from "./entry.js";
import { openEntries } from "./open-entries.js";
import type { PeerChild } from "./peer-child.js";
import { turnsOf } from "../../turns.js";

export interface MeasureOptions {
  readonly subject: Subject;
  /** The packed size that the subject was scaled to; null: as published. */
  readonly scaleBytes: number | null;
  readonly modes: readonly CellMode[];
  /** Time to spend on each way of each contender. */
  readonly budgetMs: number;
  /** Time to spend on making, committing and freeing each contender's datatype. */
  readonly createBudgetMs: number;
  /** Packed bytes of a fragment, where a cell has more; absent: no fragments. */
  readonly fragmentBytes?: number | undefined;
  /** Whether the user asked to stop: the cell then has no rows. */
  readonly stopped: () => Promise<boolean>;
}

/** What a cell gave. */
export interface Measured extends Benched {
  /** Who did not take part and why, in one line each. */
  readonly remarks: readonly string[];
}

/** Fewest samples of a contender, whatever the budget. */
const FEWEST_ROUNDS = 7;

/**
 * Opens a cell in every contender, checks what each writes, lets them take turns, one sample each a round, so that a
 * slow spell of the machine hits all alike, and checks again.
 */
export async function measurePeers(
  cell: Cell,
  children: readonly PeerChild[],
  options: MeasureOptions,
): Promise<Measured> {
  const remarks = new Set<string>();
  const { count, packedBytes, direction } = cell;
  const { budgetMs, createBudgetMs, subject, scaleBytes, modes, fragmentBytes, stopped } = options;
  const cellOf = { subject, scaleBytes, modes, count, packedBytes, direction, fragmentBytes };
  const spec = { ...cellOf, warmUpMs: budgetMs / 2 };
  const entries = await openEntries(spec, children, remarks);
  const expected = expectedHashes(cell);
  let differences = await differing(cell, entries, expected, remarks);
  if (differences.length === 0) {
    await inTurns(entries, budgetMs, stopped, (entry) => sample(entry, remarks));
    // Datatypes are a contender's, whatever the number of ways in which it moves them.
    const makers = entries.filter(({ variant }) => variant === 0);
    await inTurns(makers, createBudgetMs, stopped, (entry) => create(entry, remarks));
    differences = await differing(cell, entries, expected, remarks);
  }
  for (const entry of entries.filter(({ variant, child }) => variant === 0 && child.alive)) {
    await askEntry(entry, { ask: "close" }, remarks);
  }
  const whole = differences.length === 0 && !(await stopped());
  const finished = whole ? entries.filter(({ out }) => !out) : [];
  return {
    rows: finished.map((entry) => rowOf(cell, entry, entries)),
    remarks: [...remarks],
    differences,
  };
}

interface Expected {
  readonly moved: string;
  readonly packed: string;
}

function expectedHashes(cell: Cell): Expected {
  const packed = sha256(cell.packed);
  return { packed, moved: cell.direction === "pack" ? packed : sha256(expectedScatter(cell, CANARY)) };
}

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** Runs every entry on fresh memory and names those that write other bytes than they must. */
async function differing(
  { workload, packedBytes, direction }: Cell,
  entries: readonly Entry[],
  expected: Expected,
  remarks: Set<string>,
): Promise<readonly string[]> {
  const found = new Set<string>(); // one line a contender, whatever its modes
  for (const entry of entries.filter(({ out }) => !out)) {
    const got = await askEntry(entry, { ask: "verify", variant: entry.variant }, remarks);
    const must = entry.child.copiesStream ? expected.packed : expected.moved;
    if (got === undefined || got.sha256 === must) continue;
    const hashes = `expected bytes of hash ${must.slice(0, 16)}, got ${got.sha256.slice(0, 16)}`;
    found.add(`${workload} ${direction} of ${packedBytes} bytes: ${entry.contender}: ${hashes}`);
  }
  return [...found];
}

/** Rounds of one turn each, until the budget of all is spent, or the user asks to stop. */
async function inTurns(
  entries: readonly Entry[],
  budgetMs: number,
  stopped: () => Promise<boolean>,
  turn: (entry: Entry) => Promise<void>,
): Promise<void> {
  const end = performance.now() + budgetMs * entries.length;
  for (let round = 0; round < FEWEST_ROUNDS || performance.now() < end; round++) {
    const taking = entries.filter(({ out }) => !out);
    if (taking.length === 0 || (await stopped())) return;
    for (const i of turnsOf(taking.length, round)) await turn(taking[i] as Entry);
  }
}

async function sample(entry: Entry, remarks: Set<string>): Promise<void> {
  const sampled = await askEntry(entry, { ask: "sample", variant: entry.variant }, remarks);
  if (sampled !== undefined) entry.samplesNs.push(sampled.ns);
}

async function create(entry: Entry, remarks: Set<string>): Promise<void> {
  const created = await askEntry(entry, { ask: "create" }, remarks);
  if (created?.times) entry.created.push(created.times);
}

function rowOf(cell: Cell, { contender, mode, child, samplesNs }: Entry, entries: readonly Entry[]): ResultRow {
  const { workload, count, packedBytes, direction } = cell;
  const created = entries.find((entry) => entry.child === child && entry.variant === 0)?.created ?? [];
  const median = (times: readonly number[]): number => summarise(times).medianNs;
  return {
    ...{ workload, count, packedBytes, direction, route: "host", contender, mode },
    ...summarise(samplesNs),
    verified: true,
    commitNs: created.length === 0 ? 0 : median(created.map(({ commitNs }) => commitNs)),
    ...(created.length === 0
      ? {}
      : {
          createNs: median(created.map(({ createNs }) => createNs)),
          freeNs: median(created.map(({ freeNs }) => freeNs)),
        }),
  };
}
