import type { Conditions, Move, Prediction } from "@stowage/backend-api";
import { nodeStatistics, type Layout } from "@stowage/ir";

/** Measured on an AMD EPYC with Node 20; a machine's profile holds its own under the same names. */
const DEFAULTS = {
  /** To compile and load a move, and for each entry of its tables. */
  commitNs: 20_000,
  commitNsPerTableEntry: 30,
  /** To run a plan, and each of its moves. */
  callNs: 100,
  nsPerMove: 200,
  /** A short block goes through loops over words, the widest that divide it. */
  nsPerBlock: 0.9,
  nsPerWord: 1.1,
  /** A long one is copied by itself. */
  nsPerLongBlock: 25,
  nsPerLongByte: 0.026,
} as const;

type Figures = Readonly<Record<keyof typeof DEFAULTS, number>>;

/** Linear in blocks of the average length: of a move's sides, the one with more blocks decides. */
export function predict(
  moves: readonly Move[],
  { count }: Conditions,
  measured: Readonly<Partial<Record<string, number>>>,
): Prediction {
  const figures: Figures = { ...DEFAULTS, ...measured };
  let runNs = figures.callNs;
  let commitNs = 0;
  for (const { source, target } of moves) {
    const elements = count === "any" ? 1 : count;
    const moveNs = Math.max(blocksNs(source, elements, figures), blocksNs(target, elements, figures));
    runNs += figures.nsPerMove + moveNs;
    commitNs += figures.commitNs + (entriesOf(source) + entriesOf(target)) * figures.commitNsPerTableEntry;
  }
  return { commitNs: Math.max(commitNs, figures.commitNs), runNs };
}

function blocksNs(element: Layout, count: number, figures: Figures): number {
  const isOneRun = element.root.kind === "dense" && element.extentBytes === element.sizeBytes;
  const bytes = element.sizeBytes * count;
  if (bytes === 0) return 0;
  const blocks = isOneRun ? 1 : element.root.blockCount * count;
  const shortNs = blocks * figures.nsPerBlock + (bytes / wordBytes(bytes / blocks)) * figures.nsPerWord;
  const longNs = blocks * figures.nsPerLongBlock + bytes * figures.nsPerLongByte;
  return Math.min(shortNs, longNs);
}

/** Blocks that no word divides move 4 bytes at a time, at twice a word's cost. */
function wordBytes(blockBytes: number): number {
  if (Number.isInteger(blockBytes / 8)) return 8;
  return Number.isInteger(blockBytes / 4) ? 4 : 2;
}

/** Entries of all tables, and members; a node that is shared counts once, as its subprogram does. */
function entriesOf({ root }: Layout): number {
  const { tableEntries, members } = nodeStatistics(root);
  return tableEntries + members;
}
