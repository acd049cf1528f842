import { shifted } from "../integer-table.js";
import { blocks } from "../layout/blocks.js";
import { sequence } from "../layout/sequence.js";
import type { Pass } from "./pass.js";
import type { Blocks, Member, Sequence } from "../layout/node.js";

/**
 * Precondition: the first block or member does not start at the node's zero. Equation: parts at d0, d1, .. = parts at
 * 0, d1 − d0, .. moved by d0. With it, equal objects at different places are equal nodes.
 */
export const anchorFirstByte: Pass = {
  name: "anchorFirstByte",
  kinds: ["blocks", "sequence"],
  rewrite(node) {
    if (node.kind === "sequence") return anchorSequence(node);
    return node.kind === "blocks" ? anchorBlocks(node) : undefined;
  },
};

function anchorSequence({ members }: Sequence): Member | undefined {
  const offsetBytes = members[0]?.offsetBytes ?? 0;
  if (offsetBytes === 0) return undefined;
  const moved = members.map((member) => ({ offsetBytes: member.offsetBytes - offsetBytes, node: member.node }));
  return { offsetBytes, node: sequence(moved) };
}

function anchorBlocks({ displacementsBytes, blocklengths, strideBytes, child }: Blocks): Member | undefined {
  const offsetBytes = displacementsBytes[0] ?? 0;
  if (offsetBytes === 0) return undefined;
  return { offsetBytes, node: blocks(shifted(displacementsBytes, -offsetBytes), blocklengths, strideBytes, child) };
}
