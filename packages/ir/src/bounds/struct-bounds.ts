import type { Datatype, Struct } from "../datatype/datatype.js";
import type { Bounds, Padding } from "./bounds.js";
import { regularReach } from "./reach.js";
import { replicated } from "./replicated.js";
import { padded } from "./padded.js";
import { joined } from "./joined.js";
import { NO_BOUNDS } from "./bounds.js";

/** Bounds of a struct: its members joined in order; members of blocklength 0 contribute nothing. O(members). */
export function structBounds(type: Struct, boundsOfChild: (child: Datatype) => Bounds, padding: Padding): Bounds {
  let bounds = NO_BOUNDS;
  for (let i = 0; i < type.children.length; i++) {
    const child = boundsOfChild(type.children[i] as Datatype);
    const copies = regularReach(1, 0, type.blocklengths[i] as number, child.extentBytes);
    const displacementBytes = type.displacementsBytes[i] as number;
    const member = replicated(child, {
      copies: copies.copies,
      lowestBytes: displacementBytes + copies.lowestBytes,
      highestBytes: displacementBytes + copies.highestBytes,
    });
    bounds = joined(bounds, member);
    if (padding === "open-mpi") bounds = padded(bounds);
  }
  return padding === "none" ? bounds : padded(bounds);
}
