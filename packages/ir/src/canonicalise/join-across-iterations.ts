import { dense } from "../layout/dense.js";
import type { Blocks, LayoutNode, Member, Stream } from "../layout/node.js";
import { sequence } from "../layout/sequence.js";
import { stream } from "../layout/stream.js";
import { inPlace, type Pass } from "./pass.js";

/**
 * Iterations from which the three parts that come of a pair of equal blocks cost less than the blocks that it saves, in
 * a loop around it too: such a pair is a loop of two, which every backend nests. Other parts are listed either way.
 */
const LEAST_PAIRS = 256;

/** Parts that a loop may have: all but the first and the last stand twice in what comes out. */
const MOST_PARTS = 8;

/**
 * Precondition: a stream whose last block of bytes ends where the first of the next iteration begins; at most 8 parts.
 * Equation: stream(n, s, [dense(a) at 0, m, dense(b) at s − b]) = sequence(dense(a) at 0,
 * stream(n − 1, s, [m, dense(b + a) at s − b]), [m, dense(b) at s − b] at (n − 1) s). One block less an iteration.
 *
 * Once the others are settled: what two loops share, mergeNestedStreams and recoverStreams find while it is one child.
 */
export const joinAcrossIterations: Pass = {
  name: "joinAcrossIterations",
  kinds: ["stream"],
  whenSettled: true,
  rewrite(node) {
    if (node.kind !== "stream" || node.count < (node.child.kind === "stream" ? LEAST_PAIRS : 2)) return undefined;
    const parts = partsOf(node.child);
    if (parts === undefined || parts.length < 2) return undefined;
    const [first, last] = [parts[0] as Member, parts[parts.length - 1] as Member];
    if (first.node.kind !== "dense" || last.node.kind !== "dense" || first.offsetBytes !== 0) return undefined;
    if (last.offsetBytes + last.node.lengthBytes !== node.strideBytes) return undefined;
    const middle = parts.slice(1, -1);
    const joined = { offsetBytes: last.offsetBytes, node: dense(last.node.lengthBytes + first.node.lengthBytes) };
    return inPlace(unrolled(node, first, [...middle, joined], [...middle, last]));
  },
};

/** The first block, the loop over the joined parts, and what is left of the last iteration. */
function unrolled(
  { count, strideBytes }: Stream,
  first: Member,
  joined: readonly Member[],
  rest: readonly Member[],
): LayoutNode {
  const endBytes = (count - 1) * strideBytes;
  return sequence([
    first,
    inPlace(stream(count - 1, strideBytes, sequence(joined))),
    ...rest.map(({ offsetBytes, node }) => ({ offsetBytes: endBytes + offsetBytes, node })),
  ]);
}

/** What an iteration moves in order, where that is two parts or a few more. */
function partsOf(child: LayoutNode): readonly Member[] | undefined {
  if (child.kind === "stream") return partsOfPair(child);
  if (child.kind === "sequence") return child.members.length <= MOST_PARTS ? child.members : undefined;
  return child.kind === "blocks" ? partsOfBlocks(child) : undefined;
}

function partsOfPair({ count, strideBytes, child }: Stream): readonly Member[] | undefined {
  return count === 2 ? [inPlace(child), { offsetBytes: strideBytes, node: child }] : undefined;
}

function partsOfBlocks({ displacementsBytes, blocklengths, strideBytes, child }: Blocks): Member[] | undefined {
  if (displacementsBytes.length > MOST_PARTS) return undefined;
  const isRuns = child.kind === "dense" && child.lengthBytes === strideBytes;
  const copies = (count: number): LayoutNode =>
    isRuns ? dense(count * strideBytes) : stream(count, strideBytes, child);
  return Array.from(displacementsBytes, (offsetBytes, i) => ({
    offsetBytes,
    node: blocklengths === 1 ? child : copies(blocklengths[i] as number),
  }));
}
