import { benchEach, type Asked, type Benched, type Item } from "../asked.js";
import { cellsOf, type Cell } from "../cell/cell.js";
import { formatBytes } from "../format.js";
import { MODES } from "../results/row.js";
import { DEFAULT_SAMPLING } from "../sample.js";
import { sayOnce } from "../say-once.js";
import { lastProcessor } from "./native/pin.js";
import { measurePeers } from "./parent/measure-peers.js";
import { MemoryFile } from "./parent/memory-file.js";
import { PeerChild, PeerError, type ChildOptions } from "./parent/peer-child.js";
import type { PeerSpec } from "./protocol.js";

/** What an MPI sends at a time, about: it packs a message in pieces as it sends. */
const FRAGMENT_BYTES = 64 * 1024;

/** Elements that lie further apart are not compared: every contender would need memory for all that lies between. */
const MOST_SCATTERED_BYTES = 2 ** 31;

/** The share of a cell's time that making, committing and freeing its datatype may take. */
const CREATE_SHARE = 0.25;

/** What a comparison of contenders in processes of their own is asked. */
export interface Comparison extends Asked {
  /** Who takes part: each in a process of its own, that runs the script. */
  readonly contenders: readonly PeerSpec[];
  /** How the contenders' processes are started. */
  readonly child: ChildOptions;
  /**
   * Whether to measure what datatypes cost to make, and calls only as often as it takes to check them. Default: false.
   */
  readonly commits?: boolean;
  /**
   * Whether to move each cell in fragments as well, as an MPI does while it sends. Default: true, except where
   * `commits` is set.
   */
  readonly fragments?: boolean;
}

/**
 * Packs and unpacks every subject by every contender in a process of its own, interleaved cell by cell on the same
 * data. A contender that cannot start, dies, or does not answer is left out, and so is a subject whose elements lie too
 * far apart; a remark says so. Throws an Error where no contender can start, and an ArgumentError for a subject that is
 * unknown, or larger than 2 GiB packed.
 */
export async function benchPeers(comparison: Comparison): Promise<Benched> {
  const remark = sayOnce((line) => comparison.remark?.(line));
  using file = MemoryFile.create();
  if (file === undefined) remark("no memory that processes share: where a contender's lies is a matter of luck");
  const options = { processor: lastProcessor(), memoryFile: file?.descriptor, ...comparison.child };
  const children = await startAll(comparison.contenders, options, remark);
  try {
    return await benchEach(comparison, (item) => measureItem(comparison, children, item, remark));
  } finally {
    const survivors = children.filter(({ alive }) => alive);
    await Promise.all(children.map((child) => child.end()));
    for (const { name, printed } of survivors) {
      const words = printed.summary();
      if (words !== undefined) remark(`${name} printed: ${words}`);
    }
  }
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

async function* measureItem(
  comparison: Comparison,
  children: readonly PeerChild[],
  item: Item,
  remark: (line: string) => void,
): AsyncGenerator<Benched> {
  const {
    budgetMs = DEFAULT_SAMPLING.budgetMs,
    modes = MODES,
    interrupted,
    commits = false,
    fragments = !commits,
  } = comparison;
  for (const cell of cellsWithin(item, remark).slice(0, commits ? 1 : 2)) {
    const { remarks, ...benched } = await measurePeers(cell, children, {
      subject: item.subject,
      scaleBytes: item.size ?? null,
      modes: commits ? ["bound"] : modes,
      budgetMs: commits ? 0 : budgetMs,
      createBudgetMs: commits ? budgetMs : budgetMs * CREATE_SHARE,
      fragmentBytes: fragments ? FRAGMENT_BYTES : undefined,
      stopped: async () => (await interrupted?.seen()) ?? false,
    });
    remarks.forEach(remark);
    yield benched;
  }
}

/** Both directions of an item; none, with a remark, where its elements lie too far apart. */
function cellsWithin({ name, datatype, count }: Item, remark: (line: string) => void): readonly Cell[] {
  const made = cellsOf(name, datatype, count);
  const scatteredBytes = made[0]?.pattern.sizeBytes ?? 0;
  if (scatteredBytes <= MOST_SCATTERED_BYTES) return made;
  const most = formatBytes(MOST_SCATTERED_BYTES);
  remark(`${name}: expected elements that lie within ${most}, got ${formatBytes(scatteredBytes)}; left out`);
  return [];
}
