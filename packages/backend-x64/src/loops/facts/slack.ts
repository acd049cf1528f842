import type { LayoutNode } from "@stowage/ir";
import { NO_SLACK, wantedSlack, type Slack } from "../chunks.js";
import { nonTemporalWidthOf, widestMoveOf, type LoopContext } from "../loop-context.js";
import { NOTHING_WANTED, type WantedSlack } from "../plans.js";
import { hasMasks, loadsDwords } from "./vector-levels.js";

/** Unpacking never writes a byte that is not the type map's, and non-temporal stores write each byte once. */
const mayOverCopy = (context: LoopContext): boolean =>
  context.direction === "pack" && nonTemporalWidthOf(context) === undefined;

/** Bytes behind a run up to the first that no over-copy may touch, on either side. */
export interface Room {
  readonly scattered: number;
  readonly packed: number;
}

/** What of them the moves of the run may use. */
export function slackOf(context: LoopContext, { scattered, packed }: Room): Slack {
  if (!mayOverCopy(context)) return NO_SLACK;
  const overwritten = Math.max(0, packed);
  return { overwritten, read: Math.max(0, Math.min(overwritten, scattered)) };
}

export function wantedBy(context: LoopContext, node: LayoutNode): WantedSlack {
  if (!mayOverCopy(context)) return NOTHING_WANTED;
  switch (node.kind) {
    case "dense":
      return wantedByRun(context, node.lengthBytes);
    case "stream":
      return node.count === 0 ? NOTHING_WANTED : unlessUnreadable(context, node, wantedBy(context, node.child));
    case "blocks":
      return node.blocklengths === 1 ? unlessUnreadable(context, node, wantedBy(context, node.child)) : NOTHING_WANTED;
    case "sequence":
      return unlessUnreadable(
        context,
        node,
        node.members
          .filter((member) => member.node.kind !== "sequence")
          .map((member) => wantedBy(context, member.node))
          .reduce(most, NOTHING_WANTED),
      );
  }
}

/** Where a load reads the block alone, what is overwritten is all that matters. */
function wantedByRun(context: LoopContext, lengthBytes: number): WantedSlack {
  const { level } = context.isa;
  const loads = hasMasks(level) || loadsDwords(level, lengthBytes);
  return { bytes: wantedSlack(lengthBytes, widestMoveOf(context), loads), isRead: !loads };
}

const unlessUnreadable = ({ readableGaps: gaps }: LoopContext, node: LayoutNode, wanted: WantedSlack): WantedSlack =>
  wanted.isRead && !gaps.in(node) ? NOTHING_WANTED : wanted;

const most = (a: WantedSlack, b: WantedSlack): WantedSlack => ({
  bytes: Math.max(a.bytes, b.bytes),
  isRead: a.isRead || b.isRead,
});

const MOST_PEELED = 8;

/**
 * Rounds at the end of a loop that have no room to over-copy: what is wanted reaches into that many children, in the
 * packed stream, and where it is read on the scattered side (which must ascend). 0: no round over-copies, so none
 * differs.
 */
export function peeledRounds({ bytes, isRead }: WantedSlack, strideBytes: number, sizeBytes: number): number {
  if (bytes === 0 || (isRead && strideBytes <= 0)) return 0;
  const rounds = Math.max(isRead ? Math.ceil(bytes / strideBytes) : 0, Math.ceil(bytes / sizeBytes));
  return rounds <= MOST_PEELED ? rounds : 0;
}
