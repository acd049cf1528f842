import type { Datatype } from "../datatype/datatype.js";
import { requireDatatype } from "../datatype/require-datatype.js";
import { visitPostOrder } from "../datatype/visit-post-order.js";
import type { Bounds, BoundsOptions, BoundsRule } from "./bounds.js";
import { mpichBounds } from "./mpich-bounds.js";
import { openMpiBounds } from "./open-mpi-bounds.js";
import { ruleOf } from "./rule-of.js";
import { standardBounds } from "./standard-bounds.js";

/** Bounds of one node from those of its children. */
type NodeBounds = (type: Datatype, boundsOfChild: (child: Datatype) => Bounds) => Bounds;

const NODE_BOUNDS: Readonly<Record<BoundsRule, NodeBounds>> = {
  standard: standardBounds,
  "open-mpi": openMpiBounds,
  mpich: mpichBounds,
};

/**
 * Size, bounds, true bounds and alignment of one element, in bytes (MPI 4.1, sections 5.1.5 to 5.1.8), by the rule that
 * `bounds` names: the standard's unless given. Computed bottom up, once a node: O(nodes + list entries), then O(1).
 * @throws DatatypeError where a size or bound leaves the safe integers, or `datatype` was made by no builder;
 * ArgumentError for an unknown rule.
 */
export function boundsOf(datatype: Datatype, options: BoundsOptions = {}): Bounds {
  const rule = ruleOf(options);
  requireDatatype(datatype);
  const cached = datatype.memo.get(rule);
  if (cached !== undefined) return cached;
  const boundsOfChild = (child: Datatype): Bounds => child.memo.get(rule) as Bounds;
  visitPostOrder(
    datatype,
    (node) => node.memo.get(rule) !== undefined,
    (node) => node.memo.set(rule, Object.freeze(NODE_BOUNDS[rule](node, boundsOfChild))),
  );
  return boundsOfChild(datatype);
}
