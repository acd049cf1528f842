import type { LayoutNode, Member } from "../layout/node.js";

/**
 * A rule on one node whose children the same pass has rewritten already. It keeps the bytes and their packed order.
 * Nodes have no position, so a rule that shifts what it returns says by how much; the parent absorbs the shift.
 */
export interface Pass {
  readonly name: string;
  /** The kinds of nodes that the rule rewrites: a layout without any is left alone. Default: every kind. */
  readonly kinds?: readonly LayoutNode["kind"][];
  /** Whether the rule waits until no earlier one applies, because it takes from them what they look for. */
  readonly whenSettled?: true;
  /** What stands for the node, and how far that is moved; undefined where the rule does not apply. */
  rewrite(node: LayoutNode): Member | undefined;
}

/** A rewritten node that stays where it was. */
export const inPlace = (node: LayoutNode): Member => ({ offsetBytes: 0, node });
