import { childrenOf } from "./children-of.js";
import type { Datatype } from "./datatype.js";
import { requireCallback } from "../checks/require-argument.js";
import { requireDatatype } from "./require-datatype.js";

/**
 * Visits every node that is not done yet, children before parents, each once: `visit` must make `isDone` true.
 * Linear in nodes and edges, shared children included; the stack is explicit, so depth costs no native stack.
 * @throws DatatypeError where `root` was made by no builder; ArgumentError where a callback is no function.
 *
 * @example
 * ```typescript
 * const kinds = new Map<Datatype, string>();
 * visitPostOrder(
 *   vector(2, 1, 4, "MPI_INT"),
 *   (node) => kinds.has(node),
 *   (node) => kinds.set(node, node.kind),
 * );
 * [...kinds.values()]; // ["predefined", "vector"]
 * ```
 */
export function visitPostOrder(
  root: Datatype,
  isDone: (datatype: Datatype) => boolean,
  visit: (datatype: Datatype) => void,
): void {
  requireCallback(isDone, "isDone of a walk");
  requireCallback(visit, "visitor of a walk");
  const stack = [requireDatatype(root)];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const done = isDone(top);
    if (!done && pushUndone(top, isDone, stack) > 0) continue;
    stack.pop();
    if (!done) visit(top);
  }
}

function pushUndone(datatype: Datatype, isDone: (datatype: Datatype) => boolean, stack: Datatype[]): number {
  const before = stack.length;
  for (const child of childrenOf(datatype)) if (!isDone(child)) stack.push(child);
  return stack.length - before;
}
