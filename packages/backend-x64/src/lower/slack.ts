import type { LayoutNode } from "@stowage/ir";
import { wantedSlack } from "./chunks.js";
import type { Emitter } from "./emitter.js";
import { hasReadableGaps } from "./readable-gaps.js";

/** No code reads more bytes behind a block. */
export const MOST_READ_BEHIND = 64;

/** Bytes past its blocks that would save moves of a node, could they be read and overwritten. Packing only. */
export function wantedBy(e: Emitter, node: LayoutNode): number {
  // Unpacking never writes a byte that is not the type map's.
  // Non-temporal stores write each byte once.
  if (e.direction === "unpack" || e.nonTemporalWidth !== undefined || !hasReadableGaps(node)) return 0;
  switch (node.kind) {
    case "dense":
      return wantedSlack(node.lengthBytes, e.widest);
    case "stream":
      return node.count === 0 ? 0 : wantedBy(e, node.child);
    case "blocks":
      return node.blocklengths === 1 ? wantedBy(e, node.child) : 0;
    case "sequence":
      return node.members.reduce(
        (most, member) => Math.max(most, member.node.kind === "sequence" ? 0 : wantedBy(e, member.node)),
        0,
      );
  }
}

const MOST_PEELED = 8;

/**
 * Rounds at the end of a loop that have no room to over-copy: `wanted` bytes reach into that many children, on the
 * scattered side (which must ascend) and in the packed stream. 0: no round over-copies, so none differs.
 */
export function peeledRounds(wanted: number, strideBytes: number, sizeBytes: number): number {
  if (wanted === 0 || strideBytes <= 0) return 0;
  const rounds = Math.max(Math.ceil(wanted / strideBytes), Math.ceil(wanted / sizeBytes));
  return rounds <= MOST_PEELED ? rounds : 0;
}
