import { DatatypeError } from "../errors.js";
import { blocks } from "../layout/blocks.js";
import { layout, type Layout } from "../layout/layout.js";
import type { Blocks, LayoutNode, Member, Stream } from "../layout/node.js";
import { sequence } from "../layout/sequence.js";
import { stream } from "../layout/stream.js";
import { visitNodes } from "../layout/visit-nodes.js";
import { chainOf, hasKind, type Chain } from "./chain.js";
import { inPlace, type Pass } from "./pass.js";

/**
 * One sweep of a pass over a layout, children before parents. A shared node is rewritten once and stays shared; where
 * nothing changes the layout itself comes back. Throws a DatatypeError where a pass gives back the node itself, or
 * rewrites one node over a thousand times.
 */
export function applyPass(pass: Pass, before: Layout): Layout {
  const chain = chainOf(before.root);
  return chain === undefined ? applyToGraph(pass, before) : applyToChain(pass, before, chain);
}

/** The same of a layout whose nodes are a chain: most are, and then there is nothing to remember of nodes. */
export function applyToChain(pass: Pass, before: Layout, { inner, leaf }: Chain): Layout {
  if (pass.kinds !== undefined && !hasKind({ inner, leaf }, pass.kinds)) return before;
  let below = rewriteFully(pass, inPlace(leaf));
  for (let i = inner.length - 1; i >= 0; i--) below = rewriteFully(pass, over(inner[i] as Stream | Blocks, below));
  return rooted(before, below);
}

/** And of one with sequences. */
export function applyToGraph(pass: Pass, before: Layout): Layout {
  const rewritten = new Map<LayoutNode, Member>();
  visitNodes(
    before.root,
    (node) => rewritten.has(node),
    (node) => rewritten.set(node, rewriteFully(pass, withChildren(node, rewritten))),
  );
  return rooted(before, rewritten.get(before.root) as Member);
}

const rooted = (before: Layout, { offsetBytes, node }: Member): Layout =>
  offsetBytes === 0 && node === before.root ? before : layout(before.startBytes + offsetBytes, node, before);

/** Rewrites of one node by one rule, each the next one's case: rules that end need few, whatever they rewrite. */
const MOST_REWRITES = 1000;

/** Applies the rule until it no longer does: what it returns may be its own next case. */
function rewriteFully(pass: Pass, start: Member): Member {
  let { offsetBytes, node } = start;
  let rewrites = 0;
  for (let next = pass.rewrite(node); next !== undefined; next = pass.rewrite(node)) {
    if (next.node === node || ++rewrites > MOST_REWRITES) throw endless(pass, node, rewrites);
    offsetBytes += next.offsetBytes;
    node = next.node;
  }
  return { offsetBytes, node };
}

function endless({ name }: Pass, node: LayoutNode, rewrites: number): DatatypeError {
  const got = rewrites > MOST_REWRITES ? `a new ${node.kind} after ${MOST_REWRITES} rewrites` : "the node itself";
  return new DatatypeError({ subject: `pass ${name}`, expected: "undefined where it does not apply", got });
}

function withChildren(node: LayoutNode, rewritten: ReadonlyMap<LayoutNode, Member>): Member {
  switch (node.kind) {
    case "dense":
      return inPlace(node);
    case "stream":
    case "blocks":
      return over(node, rewritten.get(node.child) as Member);
    case "sequence":
      return inPlace(withMembers(node, rewritten));
  }
}

/** The node over its rewritten child: where that moved, every copy moved alike, and so did the whole. */
function over(node: Stream | Blocks, { offsetBytes, node: child }: Member): Member {
  if (child === node.child) return { offsetBytes, node };
  if (node.kind === "stream") return { offsetBytes, node: stream(node.count, node.strideBytes, child) };
  const { displacementsBytes, blocklengths, strideBytes } = node;
  return { offsetBytes, node: blocks(displacementsBytes, blocklengths, strideBytes, child) };
}

function withMembers(node: LayoutNode & { kind: "sequence" }, rewritten: ReadonlyMap<LayoutNode, Member>): LayoutNode {
  const unmoved = node.members.every((member) => {
    const { offsetBytes, node: child } = rewritten.get(member.node) as Member;
    return offsetBytes === 0 && child === member.node;
  });
  if (unmoved) return node;
  return sequence(
    node.members.map((member) => {
      const { offsetBytes, node: child } = rewritten.get(member.node) as Member;
      return { offsetBytes: member.offsetBytes + offsetBytes, node: child };
    }),
  );
}
