import { stream } from "../layout/stream.js";
import type { Pass } from "./pass.js";

/**
 * Precondition: a sequence of one member, or blocks of one block. Equations: sequence(c at d) = c moved by d;
 * blocks([d], [k], s, c) = stream(k, s, c) moved by d.
 */
export const unwrapSingle: Pass = {
  name: "unwrapSingle",
  kinds: ["blocks", "sequence"],
  rewrite(node) {
    if (node.kind === "sequence" && node.members.length === 1) return node.members[0];
    if (node.kind !== "blocks" || node.displacementsBytes.length !== 1) return undefined;
    const offsetBytes = node.displacementsBytes[0] as number;
    if (node.blocklengths === 1) return { offsetBytes, node: node.child };
    return { offsetBytes, node: stream(node.blocklengths[0] as number, node.strideBytes, node.child) };
  },
};
