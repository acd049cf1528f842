import type { Datatype } from "../datatype/datatype.js";
import { lowerContiguous } from "./lower-contiguous.js";
import { lowerDarray } from "./lower-darray.js";
import { lowerHindexed } from "./lower-hindexed.js";
import { lowerHindexedBlock } from "./lower-hindexed-block.js";
import { lowerHvector } from "./lower-hvector.js";
import { lowerIndexed } from "./lower-indexed.js";
import { lowerIndexedBlock } from "./lower-indexed-block.js";
import { lowerPredefined } from "./lower-predefined.js";
import { lowerStruct } from "./lower-struct.js";
import { lowerSubarray } from "./lower-subarray.js";
import { lowerVector } from "./lower-vector.js";
import type { Children, LoweredChild, Piece } from "./piece.js";

/** Lowers one node, given its children's lowering. Bounds set by the user move no data: dup and resized vanish. */
export function lowerNode(type: Datatype, children: Children): Piece {
  switch (type.kind) {
    case "predefined":
      return lowerPredefined(type);
    case "contiguous":
      return lowerContiguous(type, only(type.child, children));
    case "vector":
      return lowerVector(type, only(type.child, children));
    case "hvector":
      return lowerHvector(type, only(type.child, children));
    case "indexed":
      return lowerIndexed(type, only(type.child, children));
    case "hindexed":
      return lowerHindexed(type, only(type.child, children));
    case "indexed_block":
      return lowerIndexedBlock(type, only(type.child, children));
    case "hindexed_block":
      return lowerHindexedBlock(type, only(type.child, children));
    case "struct":
      return lowerStruct(type, children);
    case "subarray":
      return lowerSubarray(type, only(type.child, children));
    case "darray":
      return lowerDarray(type, only(type.child, children));
    case "resized":
    case "dup":
      return children.pieceOf(type.child);
  }
}

function only(child: Datatype, { pieceOf, boundsOfChild }: Children): LoweredChild {
  return { piece: pieceOf(child), extentBytes: boundsOfChild(child).extentBytes };
}
