import type { Datatype, Struct } from "../datatype/datatype.js";
import type { IntegerTable } from "../integer-table.js";
import { requireSafeInteger } from "../safe-integer.js";
import { NO_BOUNDS, type Bounds } from "./bounds.js";
import { copiesReach, type Copies } from "./copies-reach.js";
import { explicitBounds } from "./explicit-bounds.js";
import { joined } from "./joined.js";
import { padded } from "./padded.js";
import { predefinedBounds } from "./predefined-bounds.js";
import { replicated } from "./replicated.js";
import { structMembers } from "./struct-members.js";

/**
 * Bounds by Open MPI. It adds copies one block at a time to a type that starts without bounds: each stands where it
 * stands, whether or not it holds data, and the extent is padded after each. Of copies of an empty type contiguous,
 * indexed and hindexed alone make nothing. Explicit bounds are sticky.
 */
export function openMpiBounds(type: Datatype, boundsOfChild: (child: Datatype) => Bounds): Bounds {
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
    case "indexed":
    case "hindexed": {
      const child = boundsOfChild(type.child);
      return child.sizeBytes === 0 ? NO_BOUNDS : copiesBounds(type, child);
    }
    case "vector":
    case "hvector":
    case "indexed_block":
    case "hindexed_block":
      return copiesBounds(type, boundsOfChild(type.child));
  }
}

function copiesBounds(type: Copies, child: Bounds): Bounds {
  const reach = copiesReach(type, child.extentBytes);
  if (reach.copies === 0) return NO_BOUNDS;
  const bounds = replicated(child, reach);
  if (type.kind === "hindexed")
    return blockByBlock(bounds, child, type.displacementsBytes, (i) => type.blocklengths[i] as number);
  if (type.kind === "hindexed_block")
    return blockByBlock(bounds, child, type.displacementsBytes, () => type.blocklength);
  return padded(bounds);
}

/** O(members). */
function structBounds(type: Struct, boundsOfChild: (child: Datatype) => Bounds): Bounds {
  let bounds: Bounds | undefined;
  for (const member of structMembers(type, boundsOfChild)) {
    bounds = padded(bounds === undefined ? member : joined(bounds, member));
  }
  return bounds ?? NO_BOUNDS;
}

/**
 * Byte displacements need not be aligned, so that a block that later proves inner may have pushed the upper bound.
 * `bounds` are those of the list before any padding. O(blocks).
 */
function blockByBlock(
  bounds: Bounds,
  child: Bounds,
  displacementsBytes: IntegerTable,
  blocklengthAt: (index: number) => number,
): Bounds {
  const { alignmentBytes } = bounds;
  if (bounds.hasExplicitBounds || alignmentBytes === 1) return bounds;
  let lower = Infinity;
  let upper = -Infinity;
  for (let i = 0; i < displacementsBytes.length; i++) {
    const blocklength = blocklengthAt(i);
    if (blocklength === 0) continue;
    const first = (displacementsBytes[i] as number) + child.lowerBoundBytes;
    const end = first + blocklength * child.extentBytes;
    if (first >= lower && end <= upper) continue;
    lower = Math.min(lower, first);
    upper = Math.max(upper, end);
    upper = lower + Math.ceil((upper - lower) / alignmentBytes) * alignmentBytes;
  }
  return { ...bounds, extentBytes: requireSafeInteger(upper - lower, "padded extent in bytes") };
}
