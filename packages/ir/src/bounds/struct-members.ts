import type { Datatype, Struct } from "../datatype/datatype.js";
import type { Bounds } from "./bounds.js";
import { regularReach } from "./reach.js";
import { replicated } from "./replicated.js";

/** Bounds of the members of a struct where they stand, one by one. A member of blocklength 0 is no member. */
export function* structMembers(type: Struct, boundsOfChild: (child: Datatype) => Bounds): Generator<Bounds> {
  for (let i = 0; i < type.children.length; i++) {
    const blocklength = type.blocklengths[i] as number;
    if (blocklength === 0) continue;
    const child = boundsOfChild(type.children[i] as Datatype);
    const displacementBytes = type.displacementsBytes[i] as number;
    const { copies, lowestBytes, highestBytes } = regularReach(1, 0, blocklength, child.extentBytes);
    yield replicated(child, {
      copies,
      lowestBytes: displacementBytes + lowestBytes,
      highestBytes: displacementBytes + highestBytes,
    });
  }
}
