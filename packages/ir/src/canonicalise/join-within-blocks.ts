import { blocks } from "../layout/blocks.js";
import { dense } from "../layout/dense.js";
import { narrowest, type IntegerTable } from "../integer-table.js";
import type { Blocks } from "../layout/node.js";
import { inPlace, type Pass } from "./pass.js";

/** Runs an entry, on average, up to which a table of them costs less than a loop an entry: entries of two pairs. */
const MOST_RUNS_AN_ENTRY = 3;

/**
 * Precondition: entries of few copies of a pair of dense(b), the second of which ends where the next copy begins.
 * Equation: blocks(d, n, s, stream(2, s − b, dense(b))) = blocks of bytes: of entry i b at dᵢ, 2 b at dᵢ + k s − b for
 * 0 < k < nᵢ, and b at dᵢ + nᵢ s − b. A table of at most three times the entries; of longer entries the loops are
 * cheaper.
 */
export const joinWithinBlocks: Pass = {
  name: "joinWithinBlocks",
  kinds: ["blocks"],
  whenSettled: true,
  rewrite(node) {
    if (node.kind !== "blocks" || node.blocklengths === 1) return undefined;
    const lengthBytes = touchingBytesOf(node);
    if (lengthBytes === undefined) return undefined;
    const runs = runsOf(node.blocklengths);
    if (runs > MOST_RUNS_AN_ENTRY * node.displacementsBytes.length) return undefined;
    return inPlace(inRuns(node, node.blocklengths, lengthBytes, runs));
  },
};

/** The length of each block of a pair that touches the next pair. */
function touchingBytesOf({ child, strideBytes }: Blocks): number | undefined {
  if (child.kind !== "stream" || child.count !== 2 || child.child.kind !== "dense") return undefined;
  const { lengthBytes } = child.child;
  return child.strideBytes > lengthBytes && child.strideBytes + lengthBytes === strideBytes ? lengthBytes : undefined;
}

/** One more than the copies of an entry. */
function runsOf(blocklengths: IntegerTable): number {
  let runs = 0;
  for (let i = 0; i < blocklengths.length; i++) {
    const copies = blocklengths[i] as number;
    if (copies > 0) runs += copies + 1;
  }
  return runs;
}

function inRuns(
  { displacementsBytes, strideBytes }: Blocks,
  copies: IntegerTable,
  bytes: number,
  runs: number,
): Blocks {
  const [starts, lengths] = [new Float64Array(runs), new Float64Array(runs).fill(2 * bytes)];
  let at = 0;
  for (let i = 0; i < copies.length; i++) {
    const count = copies[i] as number;
    if (count === 0) continue;
    const first = displacementsBytes[i] as number;
    for (let k = 0; k <= count; k++) starts[at + k] = k === 0 ? first : first + k * strideBytes - bytes;
    lengths[at] = lengths[at + count] = bytes;
    at += count + 1;
  }
  return blocks(narrowest(starts), narrowest(lengths), 1, dense(1));
}
