import { quoted } from "../checks/quoted.js";
import { ArgumentError } from "../errors.js";
import { forEachRun } from "../byte-map/for-each-run.js";
import { requireLayout, type Layout } from "../layout/layout.js";
import type { Blocks, LayoutNode, Sequence } from "../layout/node.js";

/** Runs that are compared one by one where their loops alone do not tell. */
const MOST_RUNS = 2 ** 16;

/**
 * Whether no byte belongs to two runs of `count` elements; Infinity stands for any count. Loops are judged by their
 * strides and spans. Where those meet, the runs of one element, 2^16 at most, are compared one by one; else the answer
 * is no, which may be wrong. O(nodes + n log n) in table entries and runs.
 */
export function runsApart(layout: Layout, count = 1): boolean {
  const { root, extentBytes, sizeBytes } = requireLayout(layout);
  if (typeof count !== "number" || !(count >= 0)) throw new ArgumentError("elements", "0 or more", quoted(count));
  if (sizeBytes === 0 || count === 0) return true;
  if (loopsApart(root, [{ strideBytes: Math.abs(extentBytes), count }])) return true;
  const isBeyond = count === 1 || Math.abs(extentBytes) >= root.highBytes - root.lowBytes;
  return isBeyond && root.blockCount <= MOST_RUNS && comparedApart(layout);
}

interface Loop {
  readonly strideBytes: number;
  readonly count: number;
}

const spanOf = ({ lowBytes, highBytes }: LayoutNode): number => highBytes - lowBytes;

/**
 * A nest of loops about a node that is no stream: each loop, from the least stride up, steps over all that is inside.
 */
function loopsApart(node: LayoutNode, outer: readonly Loop[]): boolean {
  if (node.kind === "stream") {
    return loopsApart(node.child, [...outer, { strideBytes: Math.abs(node.strideBytes), count: node.count }]);
  }
  const loops = outer.filter(({ count }) => count > 1).sort((a, b) => a.strideBytes - b.strideBytes);
  let span = spanOf(node);
  for (const { strideBytes, count } of loops) {
    if (strideBytes < span) return false;
    span += strideBytes * (count - 1);
  }
  if (node.kind === "dense") return true;
  return node.kind === "blocks" ? blocksApart(node) : membersApart(node);
}

interface Interval {
  readonly low: number;
  readonly high: number;
}

function areApart(intervals: Interval[]): boolean {
  intervals.sort((a, b) => a.low - b.low);
  return intervals.every(({ low }, i) => i === 0 || low >= (intervals[i - 1] as Interval).high);
}

function blocksApart({ displacementsBytes, blocklengths, strideBytes, child }: Blocks): boolean {
  const copiesOf = (i: number): number => (blocklengths === 1 ? 1 : (blocklengths[i] as number));
  if (blocklengths !== 1 && Math.abs(strideBytes) < spanOf(child)) return false;
  const intervals = Array.from(displacementsBytes, (at, i) => {
    const reach = (copiesOf(i) - 1) * strideBytes;
    return { low: at + child.lowBytes + Math.min(0, reach), high: at + child.highBytes + Math.max(0, reach) };
  }).filter((_, i) => copiesOf(i) > 0);
  return areApart(intervals) && loopsApart(child, []);
}

function membersApart({ members }: Sequence): boolean {
  const intervals = members.map(({ offsetBytes, node }) => {
    return { low: offsetBytes + node.lowBytes, high: offsetBytes + node.highBytes };
  });
  return areApart(intervals) && members.every(({ node }) => loopsApart(node, []));
}

function comparedApart(layout: Layout): boolean {
  const intervals: Interval[] = [];
  forEachRun(layout, { count: 1, first: 0, length: layout.sizeBytes }, (low, lengthBytes) => {
    intervals.push({ low, high: low + lengthBytes });
  });
  return areApart(intervals);
}
