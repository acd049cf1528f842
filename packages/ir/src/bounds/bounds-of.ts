import type { Datatype } from "../datatype/datatype.js";
import { visitPostOrder } from "../datatype/visit-post-order.js";
import type { Bounds, BoundsOptions, Padding } from "./bounds.js";
import { nodeBounds } from "./node-bounds.js";

// Nodes are immutable, so their bounds are facts about them; an entry lives as long as its node and no longer.
const known: Readonly<Record<Padding, WeakMap<Datatype, Bounds>>> = {
  struct: new WeakMap(),
  "open-mpi": new WeakMap(),
  none: new WeakMap(),
};

/**
 * Size, bounds, true bounds and alignment of one element, in bytes (MPI 4.1, sections 5.1.5 to 5.1.8), padded as
 * `padding` says ("struct" unless given). Computed bottom up, once a node: O(nodes + list entries), then O(1).
 * @throws DatatypeError where a size or bound leaves the safe integers.
 */
export function boundsOf(datatype: Datatype, { padding = "struct" }: BoundsOptions = {}): Bounds {
  const memo = known[padding];
  const cached = memo.get(datatype);
  if (cached !== undefined) return cached;
  const boundsOfChild = (child: Datatype): Bounds => memo.get(child) as Bounds;
  visitPostOrder(
    datatype,
    (node) => memo.has(node),
    (node) => memo.set(node, Object.freeze(nodeBounds(node, boundsOfChild, padding))),
  );
  return boundsOfChild(datatype);
}
