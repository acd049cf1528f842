import { dense } from "../layout/dense.js";
import { inPlace, type Pass } from "./pass.js";

/**
 * Precondition: a stream of dense runs whose stride is their length. Equation: stream(n, L, dense(L)) = dense(n L).
 * TEMPI, Algorithm 2.
 */
export const foldDenseStream: Pass = {
  name: "foldDenseStream",
  kinds: ["stream"],
  rewrite(node) {
    if (node.kind !== "stream" || node.child.kind !== "dense") return undefined;
    return node.strideBytes === node.child.lengthBytes ? inPlace(dense(node.count * node.strideBytes)) : undefined;
  },
};
