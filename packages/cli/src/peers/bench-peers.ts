import { conditions, packMove } from "@stowage/backend-api";
import { lower, predefined, vector } from "@stowage/ir";
import type { Engine } from "@stowage/selector";
import { cellsOf, type Cell } from "../bench/cell.js";
import type { Interruption } from "../bench/interruption.js";
import { workloadOfSize } from "../bench/named-workloads.js";
import { formatBytes } from "../print.js";
import { progressBar } from "../progress.js";
import type { ResultRow } from "../results/schema.js";
import { lastProcessor } from "./native/pin.js";
import { measurePeers } from "./parent/measure-peers.js";
import { MemoryFile } from "./parent/memory-file.js";
import { PeerChild, PeerError, type ChildOptions } from "./parent/peer-child.js";
import { field } from "./parent/peer-specs.js";
import type { PeerSpec } from "./protocol.js";

/** What an MPI sends at a time, about: it packs a message in pieces as it sends. */
const FRAGMENT_BYTES = 64 * 1024;

/** Elements that lie further apart are not compared: every contender would need memory for all that lies between. */
const MOST_SCATTERED_BYTES = 2 ** 31;

export interface Comparison {
  /** Workloads by name. */
  readonly workloads: readonly string[];
  /** Packed sizes to scale each to; undefined: as published. */
  readonly sizes: readonly (number | undefined)[];
  /** Elements of each datatype; absent: the workload's own. */
  readonly count?: number | undefined;
  /** Backends of ours, or "auto". */
  readonly backends: readonly string[];
  /** Time to spend on each contender of a cell. */
  readonly budgetMs: number;
  readonly interrupted: Interruption;
  /** Told after every cell. */
  readonly keep: (rows: readonly ResultRow[]) => void;
  /** Told what a person should know, one line each. */
  readonly remark: (line: string) => void;
  readonly child?: ChildOptions;
}

export interface Compared {
  readonly rows: readonly ResultRow[];
  /** Cells without rows, for a contender wrote other bytes than it must. */
  readonly differences: readonly string[];
}

/** Every contender of this machine in a process of its own, taking turns cell by cell on the same data. */
export async function benchPeers(comparison: Comparison): Promise<Compared> {
  const remark = once(comparison.remark);
  const { specs, remarks } = field(comparison.backends);
  remarks.forEach(remark);
  using file = MemoryFile.create();
  if (file === undefined) remark("no memory that processes share: where a contender's lies is a matter of luck");
  const children = await startAll(
    specs,
    { processor: lastProcessor(), memoryFile: file?.descriptor, ...comparison.child },
    remark,
  );
  try {
    return await compare(comparison, children, remark);
  } finally {
    const survivors = children.filter(({ alive }) => alive);
    await Promise.all(children.map((child) => child.end()));
    for (const { name, printed } of survivors) {
      const words = printed.summary();
      if (words !== undefined) remark(`${name} printed: ${words}`);
    }
  }
}

/** Backends that move bytes in the memory of this machine. */
export function hostBackends(engine: Engine): readonly string[] {
  const moves = [packMove(lower(vector(4, 1, 2, predefined("MPI_DOUBLE"))))];
  return engine.backends.filter((backend) => backend.supports(moves, conditions()).ok).map(({ name }) => name);
}

function once(remark: (line: string) => void): (line: string) => void {
  const made = new Set<string>();
  return (line) => {
    if (!made.has(line)) remark(line);
    made.add(line);
  };
}

async function startAll(
  specs: readonly PeerSpec[],
  options: ChildOptions,
  remark: (line: string) => void,
): Promise<readonly PeerChild[]> {
  const started = await Promise.allSettled(specs.map((spec) => PeerChild.start(spec, options)));
  for (const { reason } of started.filter((result) => result.status === "rejected")) {
    if (!(reason instanceof PeerError)) throw reason;
    remark(reason.message);
  }
  const children = started.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  if (children.length === 0) throw new Error("bench --peers: expected a contender that can start, got none");
  const roaming = children.filter(({ pinned }) => !pinned).map(({ name }) => name);
  if (roaming.length > 0) remark(`not pinned to one processor: ${roaming.join(", ")}`);
  return children;
}

async function compare(
  { workloads, sizes, count, budgetMs, interrupted, keep }: Comparison,
  children: readonly PeerChild[],
  remark: (line: string) => void,
): Promise<Compared> {
  const rows: ResultRow[] = [];
  const differences: string[] = [];
  const bar = progressBar("bench", workloads.length * sizes.length);
  const asked = sizes.flatMap((size) => workloads.map((workload) => ({ workload, size })));
  for (const { workload, size } of asked) {
    for (const cell of cells(workload, size, count, remark)) {
      const measured = await measurePeers(cell, children, {
        budgetMs,
        scaleBytes: size ?? null,
        fragmentBytes: FRAGMENT_BYTES,
      });
      measured.remarks.forEach(remark);
      measured.differences.forEach(remark);
      differences.push(...measured.differences);
      rows.push(...measured.rows);
    }
    keep(rows);
    bar?.increment();
    if (await interrupted.seen()) break;
  }
  bar?.stop();
  return { rows, differences };
}

function cells(
  name: string,
  size: number | undefined,
  count: number | undefined,
  remark: (line: string) => void,
): readonly Cell[] {
  const named = workloadOfSize(name, size);
  const made = cellsOf(named.name, named.datatype, count ?? named.count);
  const scatteredBytes = made[0]?.pattern.sizeBytes ?? 0;
  if (scatteredBytes <= MOST_SCATTERED_BYTES) return made;
  const most = formatBytes(MOST_SCATTERED_BYTES);
  remark(`${name}: expected elements that lie within ${most}, got ${formatBytes(scatteredBytes)}; left out`);
  return [];
}
