import { stream } from "../layout/stream.js";
import { inPlace, type Pass } from "./pass.js";

/**
 * Precondition: a stream of streams whose copies follow on at the inner stride. Equation:
 * stream(n, m s, stream(m, s, c)) = stream(n m, s, c). The order of levels never changes: it is the packed order.
 */
export const mergeNestedStreams: Pass = {
  name: "mergeNestedStreams",
  kinds: ["stream"],
  rewrite(node) {
    if (node.kind !== "stream" || node.child.kind !== "stream") return undefined;
    const { count, strideBytes, child } = node.child;
    if (node.strideBytes !== count * strideBytes) return undefined;
    return inPlace(stream(node.count * count, strideBytes, child));
  },
};
