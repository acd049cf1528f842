import { childrenOfNode } from "./children.js";
import type { LayoutNode } from "./node.js";

/**
 * Visits every distinct node below and including `root`, children before parents, each once. `isDone` tells which
 * nodes need no visit (any more); the visitor must make it true. Keeps its own stack: depth is no limit.
 */
export function visitNodes(
  root: LayoutNode,
  isDone: (node: LayoutNode) => boolean,
  visit: (node: LayoutNode) => void,
): void {
  const stack: LayoutNode[] = [root];
  for (let node = stack.at(-1); node !== undefined; node = stack.at(-1)) {
    if (isDone(node)) {
      stack.pop();
      continue;
    }
    const pending = childrenOfNode(node).filter((child) => !isDone(child));
    if (pending.length === 0) {
      visit(node);
      stack.pop();
    } else stack.push(...pending.slice(-MOST_PUSHED));
  }
}

/** Children pushed at once: a call has room for so many arguments; the rest follows when these are done. */
const MOST_PUSHED = 10_000;
