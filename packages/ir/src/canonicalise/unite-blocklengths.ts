import { uniformBlocks } from "../layout/blocks.js";
import { stream } from "../layout/stream.js";
import { inPlace, type Pass } from "./pass.js";

/**
 * Precondition: blocks whose blocklengths are all k. Equation: blocks(d, [k, k, ..], s, c) = blocks(d, 1, stream(k, s,
 * c)). The blocklength half of DAME's normalisation of indexed types (section 3.3).
 */
export const uniteBlocklengths: Pass = {
  name: "uniteBlocklengths",
  kinds: ["blocks"],
  rewrite(node) {
    if (node.kind !== "blocks" || node.blocklengths === 1) return undefined;
    const [length] = node.blocklengths;
    if (length === undefined || node.blocklengths.some((other) => other !== length)) return undefined;
    const block = length === 1 ? node.child : stream(length, node.strideBytes, node.child);
    return inPlace(uniformBlocks(node.displacementsBytes, block));
  },
};
