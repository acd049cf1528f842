import type { Datatype, Struct } from "../datatype/datatype.js";
import { NO_BOUNDS, type Bounds } from "./bounds.js";
import { copiesReach } from "./copies-reach.js";
import { explicitBounds } from "./explicit-bounds.js";
import { joined } from "./joined.js";
import { padded } from "./padded.js";
import { predefinedBounds } from "./predefined-bounds.js";
import { replicated } from "./replicated.js";
import { structMembers } from "./struct-members.js";

/**
 * Bounds by the standard: those of a type map whose entries are data and markers that users set. A map without entries
 * contributes nothing, wherever its copies stand; where there are markers, only they count (MPI 4.1, section 5.1.5).
 */
export function standardBounds(type: Datatype, boundsOfChild: (child: Datatype) => Bounds): Bounds {
  switch (type.kind) {
    case "predefined":
      return predefinedBounds(type.name);
    case "struct":
      return structBounds(type, boundsOfChild);
    case "resized":
    case "subarray":
    case "darray":
      return explicitBounds(type, boundsOfChild);
    case "dup":
      return boundsOfChild(type.child);
    case "contiguous":
    case "vector":
    case "hvector":
    case "indexed":
    case "hindexed":
    case "indexed_block":
    case "hindexed_block": {
      const child = boundsOfChild(type.child);
      const reach = copiesReach(type, child.extentBytes);
      return reach.copies === 0 || hasNoEntry(child) ? NO_BOUNDS : replicated(child, reach);
    }
  }
}

/** Whether a type puts nothing, not even a marker, into a type map. */
const hasNoEntry = ({ sizeBytes, hasExplicitBounds }: Bounds): boolean => sizeBytes === 0 && !hasExplicitBounds;

/** O(members). */
function structBounds(type: Struct, boundsOfChild: (child: Datatype) => Bounds): Bounds {
  let bounds: Bounds | undefined;
  for (const member of structMembers(type, boundsOfChild)) {
    if (hasNoEntry(member)) continue;
    bounds = bounds === undefined ? member : joined(bounds, member);
  }
  return bounds === undefined ? NO_BOUNDS : padded(bounds);
}
