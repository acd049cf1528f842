import type { BoundsOptions } from "../bounds/bounds.js";
import { boundsOf } from "../bounds/bounds-of.js";
import type { Datatype } from "../datatype/datatype.js";
import { visitPostOrder } from "../datatype/visit-post-order.js";
import { layout, type Layout } from "../layout/layout.js";
import { lowerNode } from "./lower-node.js";
import { EMPTY_PIECE, type Children, type Piece } from "./piece.js";

/**
 * Where the bytes of one element of a datatype lie, in the order of its type map; the constructors' names are gone.
 * O(nodes) for regular types and O(n) for lists. Shared datatypes lower to shared nodes, empty ones to EMPTY.
 * @throws DatatypeError where the padding pushes a bound out of the safe integers.
 */
export function lower(datatype: Datatype, options: BoundsOptions = {}): Layout {
  const { lowerBoundBytes, extentBytes } = boundsOf(datatype, options);
  const pieces = new Map<Datatype, Piece>();
  const children: Children = {
    pieceOf: (child) => pieces.get(child) as Piece,
    boundsOfChild: (child) => boundsOf(child, options),
  };
  visitPostOrder(
    datatype,
    (node) => pieces.has(node),
    (node) => pieces.set(node, lowerNonEmpty(node, children, options)),
  );
  const { offsetBytes, node } = children.pieceOf(datatype);
  return layout(offsetBytes, node, { lowerBoundBytes, extentBytes });
}

/** An empty type lowers to EMPTY whatever its displacements, so that no walk ever visits it. */
function lowerNonEmpty(datatype: Datatype, children: Children, options: BoundsOptions): Piece {
  return boundsOf(datatype, options).sizeBytes === 0 ? EMPTY_PIECE : lowerNode(datatype, children);
}
