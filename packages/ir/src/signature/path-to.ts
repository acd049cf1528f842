import type { Basic, SignatureNode } from "./signature-node.js";

/** A node on the way to a position, and where its copy that holds the position starts. */
export interface Step {
  readonly node: SignatureNode;
  readonly start: number;
}

/** The way from the root to one element, and the run of equal elements from there on. */
export interface Path {
  readonly steps: readonly Step[];
  readonly element: Basic;
  /** One past the last position of the run. */
  readonly runEnd: number;
}

/** The path to a position in [0, root.elements). O(depth). */
export function pathTo(root: SignatureNode, position: number): Path {
  const steps: Step[] = [];
  let node = root;
  let start = 0;
  for (;;) {
    steps.push({ node, start });
    switch (node.kind) {
      case "empty":
        throw new RangeError(`position in a signature: expected less than 0, got ${position}`);
      case "basic":
        return { steps, element: node, runEnd: start + 1 };
      case "repeat": {
        const { child } = node;
        if (child.kind === "basic") return { steps, element: child, runEnd: start + node.elements };
        start += Math.floor((position - start) / child.elements) * child.elements;
        node = child;
        break;
      }
      case "pair": {
        const middle = start + node.first.elements;
        if (position < middle) {
          node = node.first;
        } else {
          start = middle;
          node = node.second;
        }
      }
    }
  }
}
