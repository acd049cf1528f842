import { inPlace, type Pass } from "./pass.js";

/**
 * Precondition: a stream of count 1. Equation: stream(1, s, c) = c, whatever the stride. A start other than zero is
 * the parent's to know, so none can be lost. TEMPI, Algorithm 3, elides a child only; here the root elides too.
 */
export const elideUnitStream: Pass = {
  name: "elideUnitStream",
  kinds: ["stream"],
  rewrite: (node) => (node.kind === "stream" && node.count === 1 ? inPlace(node.child) : undefined),
};
