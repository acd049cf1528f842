import { integerTable } from "../integer-table.js";
import { blocks, uniformBlocks } from "../layout/blocks.js";
import { dense } from "../layout/dense.js";
import { sameNode } from "../layout/same-layout.js";
import { inPlace, type Pass } from "./pass.js";
import type { Sequence } from "../layout/node.js";

/**
 * Precondition: a sequence of two or more equal nodes, or of dense runs only. Equations:
 * sequence(c at d0, c at d1, ..) = blocks([d0, d1, ..], 1, c); sequence(dense(L0) at d0, ..) =
 * blocks([d0, ..], [L0, ..], 1, dense(1)). DAME's normalisation of a struct with one access pattern (section 3.3).
 */
export const tabulateSequence: Pass = {
  name: "tabulateSequence",
  kinds: ["sequence"],
  rewrite(node) {
    if (node.kind !== "sequence" || node.members.length < 2) return undefined;
    const displacements = integerTable(node.members.length, (i) => node.members[i]?.offsetBytes ?? 0);
    const child = commonNode(node);
    if (child !== undefined) return inPlace(uniformBlocks(displacements, child));
    if (!node.members.every((member) => member.node.kind === "dense")) return undefined;
    const lengths = integerTable(node.members.length, (i) => node.members[i]?.node.sizeBytes ?? 0);
    return inPlace(blocks(displacements, lengths, 1, dense(1)));
  },
};

function commonNode({ members }: Sequence): Sequence["members"][number]["node"] | undefined {
  const node = members[0]?.node;
  return node !== undefined && members.every((member) => sameNode(member.node, node)) ? node : undefined;
}
