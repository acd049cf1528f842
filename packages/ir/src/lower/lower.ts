import { boundsOf } from "../bounds/bounds-of.js";
import type { BoundsOptions } from "../bounds/bounds.js";
import type { Darray, Datatype, Dup, Predefined, Resized, Struct, Subarray } from "../datatype/datatype.js";
import { dimensionShares, type DimensionShare } from "../datatype/dimension-share.js";
import { dimensionsFromFastest } from "../datatype/order.js";
import { predefinedFacts, type PredefinedEntry } from "../datatype/predefined-table.js";
import { visitPostOrder } from "../datatype/visit-post-order.js";
import { dense } from "../layout/dense.js";
import { layout, type Layout } from "../layout/layout.js";
import { list, uniformList } from "./block-list.js";
import { copies, EMPTY_PIECE, inSequence, moved, type Children, type LoweredChild, type Piece } from "./piece.js";

/**
 * Where the bytes of one element of a datatype lie, in the order of its type map; the constructors' names are gone.
 * O(nodes) for regular types and O(n) for lists. Shared datatypes lower to shared nodes, empty ones to EMPTY.
 * @throws DatatypeError where the padding pushes a bound out of the safe integers, or `datatype` was made by no
 * builder; ArgumentError for an unknown rule of bounds.
 *
 * @example
 * ```typescript
 * printLayout(lower(vector(3, 2, 5, "MPI_INT")));
 * // 24 bytes from 0, lower bound 0, extent 48
 * //   stream 3 x, stride 20 B
 * //     stream 2 x, stride 4 B
 * //       dense 4 B
 * ```
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

/** Lowers one node, given its children's lowering. Bounds set by the user move no data: dup and resized vanish. */
function lowerNode(type: Datatype, children: Children): Piece {
  if (type.kind === "predefined") return lowerPredefined(type);
  if (type.kind === "struct") return lowerStruct(type, children);
  const piece = children.pieceOf(type.child);
  if (type.kind === "resized" || type.kind === "dup") return piece;
  return lowerCopies(type, { piece, extentBytes: children.boundsOfChild(type.child).extentBytes });
}

/** Copies of one child, wherever a constructor puts them. */
function lowerCopies(type: Exclude<Datatype, Predefined | Struct | Resized | Dup>, child: LoweredChild): Piece {
  const { piece, extentBytes } = child;
  const block = (length: number): Piece => copies(length, extentBytes, piece);
  switch (type.kind) {
    case "contiguous":
      return block(type.count);
    case "vector":
      return copies(type.count, type.stride * extentBytes, block(type.blocklength));
    case "hvector":
      return copies(type.count, type.strideBytes, block(type.blocklength));
    case "indexed":
      return list(type.displacements, extentBytes, type.blocklengths, child);
    case "hindexed":
      return list(type.displacementsBytes, 1, type.blocklengths, child);
    case "indexed_block":
      return uniformList(type.displacements, extentBytes, type.blocklength, child);
    case "hindexed_block":
      return uniformList(type.displacementsBytes, 1, type.blocklength, child);
    case "subarray":
      return lowerSubarray(type, child);
    case "darray":
      return lowerDarray(type, child);
  }
}

/** One dense run; two where a pair type has a gap between value and index, as MPI_SHORT_INT has. */
function lowerPredefined(type: Predefined): Piece {
  const { entries } = predefinedFacts(type.name);
  const first = entries[0] as PredefinedEntry;
  const second = entries[1];
  if (second === undefined) return { offsetBytes: 0, node: dense(first.lengthBytes) };
  if (second.offsetBytes === first.lengthBytes) {
    return { offsetBytes: 0, node: dense(first.lengthBytes + second.lengthBytes) };
  }
  return inSequence(entries.map((entry) => ({ offsetBytes: entry.offsetBytes, node: dense(entry.lengthBytes) })));
}

function lowerStruct(type: Struct, { pieceOf, boundsOfChild }: Children): Piece {
  const members = type.children.map((child: Datatype, i) => {
    const { extentBytes } = boundsOfChild(child);
    const member = copies(type.blocklengths[i] as number, extentBytes, pieceOf(child));
    return moved(member, type.displacementsBytes[i] as number);
  });
  return inSequence(members);
}

/** A stream a dimension, the fastest innermost. MPI 4.1, section 5.1.3. */
function lowerSubarray(type: Subarray, child: LoweredChild): Piece {
  let piece = child.piece;
  let strideBytes = child.extentBytes;
  let startBytes = 0;
  for (const dimension of dimensionsFromFastest(type.sizes.length, type.order)) {
    piece = copies(type.subsizes[dimension] as number, strideBytes, piece);
    startBytes += (type.starts[dimension] as number) * strideBytes;
    strideBytes *= type.sizes[dimension] as number;
  }
  return moved(piece, startBytes);
}

/** Along each dimension, the fastest first: full blocks as streams, then a shorter block. MPI 4.1, section 5.1.4. */
function lowerDarray(type: Darray, child: LoweredChild): Piece {
  const shares = dimensionShares(type);
  let piece = child.piece;
  let elementBytes = child.extentBytes;
  for (const dimension of dimensionsFromFastest(type.gsizes.length, type.order)) {
    piece = alongDimension(shares[dimension] as DimensionShare, elementBytes, piece);
    elementBytes *= type.gsizes[dimension] as number;
  }
  return piece;
}

function alongDimension(share: DimensionShare, elementBytes: number, piece: Piece): Piece {
  const strideBytes = share.strideElements * elementBytes;
  const full = copies(share.fullBlocks, strideBytes, copies(share.blockElements, elementBytes, piece));
  const last = copies(share.lastElements, elementBytes, piece);
  return moved(inSequence([full, moved(last, share.fullBlocks * strideBytes)]), share.firstElement * elementBytes);
}
