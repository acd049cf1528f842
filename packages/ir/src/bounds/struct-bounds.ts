import type { Datatype, Struct } from "../datatype/datatype.js";
import { isNothing, NO_BOUNDS, type Bounds, type Padding } from "./bounds.js";
import { joined } from "./joined.js";
import { padded } from "./padded.js";
import { regularReach } from "./reach.js";
import { replicated } from "./replicated.js";

/**
 * Bounds of a struct: its members joined in order. A member of blocklength 0 is no member. One of an empty type beside
 * members that hold something has no entry in the type map, but Open MPI and MPICH let its displacement count as a
 * lower and an upper bound, and so it does here. O(members).
 */
export function structBounds(type: Struct, boundsOfChild: (child: Datatype) => Bounds, padding: Padding): Bounds {
  const holds = type.children.some((child, i) => type.blocklengths[i] !== 0 && !isNothing(boundsOfChild(child)));
  if (!holds) return NO_BOUNDS;
  let bounds: Bounds | undefined;
  for (let i = 0; i < type.children.length; i++) {
    const blocklength = type.blocklengths[i] as number;
    if (blocklength === 0) continue;
    const child = boundsOfChild(type.children[i] as Datatype);
    const member = memberBounds(child, blocklength, type.displacementsBytes[i] as number);
    bounds = bounds === undefined ? member : joined(bounds, member);
    if (padding === "open-mpi") bounds = padded(bounds);
  }
  return padding === "none" ? (bounds as Bounds) : padded(bounds as Bounds);
}

function memberBounds(child: Bounds, blocklength: number, displacementBytes: number): Bounds {
  if (isNothing(child)) return { ...NO_BOUNDS, lowerBoundBytes: displacementBytes };
  const { copies, lowestBytes, highestBytes } = regularReach(1, 0, blocklength, child.extentBytes);
  return replicated(child, {
    copies,
    lowestBytes: displacementBytes + lowestBytes,
    highestBytes: displacementBytes + highestBytes,
  });
}
