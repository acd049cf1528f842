import type { Datatype } from "../datatype/datatype.js";
import { visitPostOrder } from "../datatype/visit-post-order.js";
import type { Bounds, BoundsOptions } from "./bounds.js";
import { nodeBounds } from "./node-bounds.js";
import { requireDatatype } from "../datatype/require-datatype.js";
import { paddingOf } from "./padding-of.js";

/**
 * Size, bounds, true bounds and alignment of one element, in bytes (MPI 4.1, sections 5.1.5 to 5.1.8), padded as
 * `padding` says ("struct" unless given). Computed bottom up, once a node: O(nodes + list entries), then O(1).
 * @throws DatatypeError where a size or bound leaves the safe integers.
 */
export function boundsOf(datatype: Datatype, options: BoundsOptions = {}): Bounds {
  const padding = paddingOf(options);
  requireDatatype(datatype);
  const cached = datatype.memo.get(padding);
  if (cached !== undefined) return cached;
  const boundsOfChild = (child: Datatype): Bounds => child.memo.get(padding) as Bounds;
  visitPostOrder(
    datatype,
    (node) => node.memo.get(padding) !== undefined,
    (node) => node.memo.set(padding, Object.freeze(nodeBounds(node, boundsOfChild, padding))),
  );
  return boundsOfChild(datatype);
}
