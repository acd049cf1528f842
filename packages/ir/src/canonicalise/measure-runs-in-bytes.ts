import { integerTable } from "../integer-table.js";
import { blocks } from "../layout/blocks.js";
import { dense } from "../layout/dense.js";
import { inPlace, type Pass } from "./pass.js";

const BYTE = dense(1);

/**
 * Precondition: blocks of several copies of dense(L), L apart, L not 1. Equation:
 * blocks(d, k, L, dense(L)) = blocks(d, k L, 1, dense(1)): lengths in bytes, whatever the elements were. DAME's merging
 * of an inner contiguous type into the blocklengths (section 3.3).
 */
export const measureRunsInBytes: Pass = {
  name: "measureRunsInBytes",
  kinds: ["blocks"],
  rewrite(node) {
    if (node.kind !== "blocks" || node.blocklengths === 1 || node.child.kind !== "dense") return undefined;
    const { displacementsBytes, blocklengths, strideBytes, child } = node;
    if (strideBytes !== child.lengthBytes || child.lengthBytes === 1) return undefined;
    const lengths = integerTable(blocklengths.length, (i) => (blocklengths[i] as number) * child.lengthBytes);
    return inPlace(blocks(displacementsBytes, lengths, 1, BYTE));
  },
};
