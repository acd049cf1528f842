import type { Datatype, Resized } from "../datatype/datatype.js";
import { predefinedFacts, type PredefinedName } from "../datatype/predefined-table.js";
import { NO_BOUNDS, type Bounds, type Padding } from "./bounds.js";
import { darrayReach, subarrayReach, type BoxReach } from "./box-reach.js";
import { padded } from "./padded.js";
import { listReach, regularReach, uniformListReach } from "./reach.js";
import { replicated } from "./replicated.js";
import { stepwisePadded } from "./stepwise-padded.js";
import { structBounds } from "./struct-bounds.js";

/** Bounds of one node from those of its children. */
export function nodeBounds(type: Datatype, boundsOfChild: (child: Datatype) => Bounds, padding: Padding): Bounds {
  switch (type.kind) {
    case "predefined":
      return predefinedBounds(type.name);
    case "struct":
      return structBounds(type, boundsOfChild, padding);
    case "resized":
      return resizedBounds(type, boundsOfChild(type.child));
    case "dup":
      return boundsOfChild(type.child);
    case "contiguous":
    case "vector":
    case "hvector":
    case "indexed":
    case "hindexed":
    case "indexed_block":
    case "hindexed_block":
    case "subarray":
    case "darray": {
      if (isOfNothing(type, boundsOfChild(type.child))) return NO_BOUNDS;
      const bounds = copiesBounds(type, boundsOfChild(type.child), padding);
      return padding === "open-mpi" ? padded(bounds) : bounds;
    }
  }
}

/**
 * Copies of an empty type are empty, and what bounds the user gave it go: as in Open MPI and MPICH, both of which keep
 * those of an array.
 */
const isOfNothing = ({ kind }: Datatype, child: Bounds): boolean =>
  child.sizeBytes === 0 && kind !== "subarray" && kind !== "darray";

type Copies = Exclude<Datatype, { readonly kind: "predefined" | "struct" | "resized" | "dup" }>;

function copiesBounds(type: Copies, child: Bounds, padding: Padding): Bounds {
  const { extentBytes } = child;
  switch (type.kind) {
    case "contiguous":
      return replicated(child, regularReach(1, 0, type.count, extentBytes));
    case "vector":
      return replicated(child, regularReach(type.count, type.stride * extentBytes, type.blocklength, extentBytes));
    case "hvector":
      return replicated(child, regularReach(type.count, type.strideBytes, type.blocklength, extentBytes));
    case "indexed":
      return replicated(child, listReach(type.displacements, extentBytes, type.blocklengths, extentBytes));
    case "indexed_block":
      return replicated(child, uniformListReach(type.displacements, extentBytes, type.blocklength, extentBytes));
    case "hindexed": {
      const bounds = replicated(child, listReach(type.displacementsBytes, 1, type.blocklengths, extentBytes));
      if (padding !== "open-mpi") return bounds;
      return stepwisePadded(bounds, child, type.displacementsBytes, (i) => type.blocklengths[i] as number);
    }
    case "hindexed_block": {
      const bounds = replicated(child, uniformListReach(type.displacementsBytes, 1, type.blocklength, extentBytes));
      if (padding !== "open-mpi") return bounds;
      return stepwisePadded(bounds, child, type.displacementsBytes, () => type.blocklength);
    }
    case "subarray":
      return arrayBounds(child, subarrayReach(type, extentBytes));
    case "darray":
      return arrayBounds(child, darrayReach(type, extentBytes));
  }
}

function predefinedBounds(name: PredefinedName): Bounds {
  const { entries, alignmentBytes, extentBytes } = predefinedFacts(name);
  const last = entries.at(-1);
  return {
    sizeBytes: entries.reduce((sum, entry) => sum + entry.lengthBytes, 0),
    lowerBoundBytes: 0,
    extentBytes,
    trueLowerBoundBytes: 0,
    trueExtentBytes: last === undefined ? 0 : last.offsetBytes + last.lengthBytes,
    alignmentBytes,
    hasExplicitBounds: false,
  };
}

function resizedBounds({ lowerBoundBytes, extentBytes }: Resized, child: Bounds): Bounds {
  return { ...child, lowerBoundBytes, extentBytes, hasExplicitBounds: true };
}

/** Subarray and darray: the data's true bounds, and the whole array's as explicit ones. MPI 4.1, section 5.1.3. */
function arrayBounds(child: Bounds, { reach, arrayExtentBytes }: BoxReach): Bounds {
  const data = replicated(child, reach);
  return { ...data, lowerBoundBytes: 0, extentBytes: arrayExtentBytes, hasExplicitBounds: true };
}
