import type { Blocks } from "@stowage/ir";
import { packedStarts } from "./run-tables.js";

/** Packed bytes that one chunk covers, at least: what its runs touch stays in the first-level cache. */
const CHUNK_BYTES = 8 * 1024;
/** Runs of at least this length are copied by their length; a branch on it is rare against their bytes. */
export const LONG_RUN_BYTES = 256;

/**
 * Runs grouped by the power of two that their length reaches, chunk by chunk, the longest first: the runs of one
 * group take the same moves, the head and the tail overlapping, so that no branch depends on a length. Words of the
 * table, a chunk: for each group in turn, the number of runs, then for each run its displacement, its place in the
 * chunk's packed bytes, and its length; last, the chunk's packed bytes.
 */
export interface Buckets {
  /** Least length of each group: powers of two, descending. */
  readonly groups: readonly number[];
  readonly chunks: number;
  readonly words: Int32Array;
  /** Packed start of each chunk, and one past the last. */
  readonly starts: Int32Array;
  /** Where each chunk begins in the table, in bytes. */
  readonly places: Int32Array;
}

export const WORDS_A_RUN = 3;

/** 31 - clz32 is the exponent of the power of two; long runs share one group. */
const groupOf = (lengthBytes: number): number => 31 - Math.clz32(Math.min(lengthBytes, LONG_RUN_BYTES));

const known = new WeakMap<Blocks, Buckets>();

/** undefined: displacements or lengths past 32 bits. Made once a node. */
export function bucketsOf(node: Blocks): Buckets | undefined {
  const found = known.get(node) ?? grouped(node);
  if (found !== undefined) known.set(node, found);
  return found;
}

function grouped(node: Blocks): Buckets | undefined {
  const { displacementsBytes, blocklengths, child } = node;
  if (!(displacementsBytes instanceof Int32Array) || !(blocklengths instanceof Int32Array)) return undefined;
  const starts = packedStarts(node);
  if (!(starts instanceof Int32Array)) return undefined;
  const lengths = blocklengths.map((length) => length * child.sizeBytes);
  const exponents = groupsPresent(lengths);
  const cuts = chunkCuts(starts);
  const words = new Int32Array(WORDS_A_RUN * lengths.length + (cuts.length - 1) * (exponents.length + 1));
  const writer = { words, at: 0 };
  const places = new Int32Array(cuts.length - 1);
  for (let c = 0; c + 1 < cuts.length; c++) {
    places[c] = 4 * writer.at;
    writeChunk(writer, { displacements: displacementsBytes, lengths, starts, exponents }, cuts[c] as number, cuts[c + 1] as number);
  }
  return { groups: exponents.map((exponent) => 2 ** exponent), chunks: cuts.length - 1, words: words.subarray(0, writer.at), starts: Int32Array.from(cuts, (cut) => starts[cut] as number), places };
}

/** Exponents in use, descending. */
function groupsPresent(lengths: Int32Array): readonly number[] {
  let mask = 0;
  for (const length of lengths) if (length > 0) mask |= 1 << groupOf(length);
  return [8, 7, 6, 5, 4, 3, 2, 1, 0].filter((exponent) => ((mask >> exponent) & 1) === 1);
}

/** Indices of the runs where chunks start, and one past the last run. */
function chunkCuts(starts: Int32Array): readonly number[] {
  const cuts = [0];
  let startBytes = 0;
  for (let i = 1; i < starts.length - 1; i++) {
    if ((starts[i] as number) - startBytes < CHUNK_BYTES) continue;
    cuts.push(i);
    startBytes = starts[i] as number;
  }
  cuts.push(starts.length - 1);
  return cuts;
}

interface Runs {
  readonly displacements: Int32Array;
  readonly lengths: Int32Array;
  readonly starts: Int32Array;
  readonly exponents: readonly number[];
}

function count(counts: Int32Array, length: number): void {
  if (length === 0) return;
  const group = groupOf(length);
  counts[group] = (counts[group] as number) + 1;
}

/** Counts the runs [from, to) by group, then writes each where its group goes on. */
function writeChunk(writer: { readonly words: Int32Array; at: number }, runs: Runs, from: number, to: number): void {
  const { words } = writer;
  const { displacements, lengths, starts } = runs;
  const next = new Int32Array(9);
  for (let i = from; i < to; i++) count(next, lengths[i] as number);
  for (const exponent of runs.exponents) {
    const runsOfGroup = next[exponent] as number;
    words[writer.at] = runsOfGroup;
    next[exponent] = writer.at + 1;
    writer.at += 1 + WORDS_A_RUN * runsOfGroup;
  }
  const chunkStart = starts[from] as number;
  for (let i = from; i < to; i++) {
    const length = lengths[i] as number;
    if (length === 0) continue;
    const group = groupOf(length);
    const entry = next[group] as number;
    words[entry] = displacements[i] as number;
    words[entry + 1] = (starts[i] as number) - chunkStart;
    words[entry + 2] = length;
    next[group] = entry + WORDS_A_RUN;
  }
  words[writer.at++] = (starts[to] as number) - chunkStart;
}
