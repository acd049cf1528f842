import type { Datatype, Struct } from "../datatype/datatype.js";
import type { PredefinedName } from "../datatype/predefined-table.js";
import type { IntegerTable } from "../integer-table.js";
import { NO_BOUNDS, type Bounds } from "./bounds.js";
import { explicitBounds, type Bounding } from "./explicit-bounds.js";
import { joined } from "./joined.js";
import { padded } from "./padded.js";
import { predefinedBounds } from "./predefined-bounds.js";
import { listReach, type Reach } from "./reach.js";
import { replicated } from "./replicated.js";
import { structMembers } from "./struct-members.js";

/**
 * Bounds by MPICH from 4.0 on, whose datatypes yaksa keeps. A type is a pair of bounds there: nobody's are sticky, so
 * that `hasExplicitBounds` is false. What is made of empty types alone is nothing, and has no bounds. Blocks of no
 * copies of a type that holds data are an empty type too, but one whose bounds reach from the first block to the last.
 *
 * Constructors that change nothing (dup, one copy at 0, the same bounds again) give back the type that they were given;
 * here they give back its bounds, one object: whether two members of a struct are of one type is whether their bounds
 * are one object.
 */
export function mpichBounds(type: Datatype, boundsOfChild: (child: Datatype) => Bounds): Bounds {
  switch (type.kind) {
    case "predefined":
      return SHARED.get(type.name) ?? predefinedBounds(type.name);
    case "dup":
      return boundsOfChild(type.child);
    case "resized":
    case "subarray":
    case "darray":
      return bounded(type, boundsOfChild);
    case "struct":
      return structBounds(type, boundsOfChild);
    case "contiguous":
      return regular(boundsOfChild(type.child), type.count === 0 ? 0 : 1, type.count, 0);
    case "vector": {
      const child = boundsOfChild(type.child);
      return regular(child, type.count, type.blocklength, type.stride * child.extentBytes);
    }
    case "hvector":
      return regular(boundsOfChild(type.child), type.count, type.blocklength, type.strideBytes);
    case "indexed":
    case "hindexed": {
      const child = boundsOfChild(type.child);
      const [places, unitBytes] =
        type.kind === "indexed" ? [type.displacements, child.extentBytes] : [type.displacementsBytes, 1];
      return listed(child, type.blocklengths, places, unitBytes);
    }
    case "indexed_block": {
      const child = boundsOfChild(type.child);
      return uniform(child, type.blocklength, type.displacements, child.extentBytes);
    }
    case "hindexed_block":
      return uniform(boundsOfChild(type.child), type.blocklength, type.displacementsBytes, 1);
  }
}

/** The copies of a block of `blocklength`: of none, one copy less than one. */
function blockReach(lowest: number, highest: number, blocks: number, blocklength: number, extent: number): Reach {
  const last = (blocklength - 1) * extent;
  return {
    copies: blocks * blocklength,
    lowestBytes: extent > 0 ? lowest : lowest + last,
    highestBytes: extent > 0 ? highest + last : highest,
  };
}

/** `blocks` blocks, `strideBytes` apart. */
function regular(child: Bounds, blocks: number, blocklength: number, strideBytes: number): Bounds {
  if (blocks === 0 || child.sizeBytes === 0) return NO_BOUNDS;
  if (blocks === 1 && blocklength === 1) return child;
  const last = (blocks - 1) * strideBytes;
  return replicated(child, blockReach(Math.min(0, last), Math.max(0, last), blocks, blocklength, child.extentBytes));
}

/** Blocks of one length at displacements that count `unitBytes`. O(blocks). */
function uniform(child: Bounds, blocklength: number, displacements: IntegerTable, unitBytes: number): Bounds {
  const blocks = displacements.length;
  if (blocks === 0 || child.sizeBytes === 0) return NO_BOUNDS;
  if (blocks === 1 && blocklength === 1 && displacements[0] === 0) return child;
  let lowest = Infinity;
  let highest = -Infinity;
  for (const displacement of displacements) {
    lowest = Math.min(lowest, displacement * unitBytes);
    highest = Math.max(highest, displacement * unitBytes);
  }
  return replicated(child, blockReach(lowest, highest, blocks, blocklength, child.extentBytes));
}

/** Blocks of lengths of their own; empty ones reach nowhere. O(blocks). */
function listed(child: Bounds, blocklengths: IntegerTable, displacements: IntegerTable, unitBytes: number): Bounds {
  const isUniform = blocklengths.every((length) => length === blocklengths[0]);
  if (isUniform && blocklengths[0] !== 0) {
    return uniform(child, blocklengths[0] ?? 0, displacements, unitBytes);
  }
  const reach = listReach(displacements, unitBytes, blocklengths, child.extentBytes);
  return reach.copies === 0 || child.sizeBytes === 0 ? NO_BOUNDS : replicated(child, reach);
}

/** A struct of one type throughout is a list of blocks, unpadded. O(members). */
function structBounds(type: Struct, boundsOfChild: (child: Datatype) => Bounds): Bounds {
  const [first, ...others] = type.children.map(boundsOfChild);
  if (first !== undefined && others.every((child) => child === first))
    return listed(first, type.blocklengths, type.displacementsBytes, 1);
  let bounds: Bounds | undefined;
  for (const member of structMembers(type, boundsOfChild)) {
    bounds = bounds === undefined ? member : joined(bounds, member);
  }
  return bounds === undefined || bounds.sizeBytes === 0 ? NO_BOUNDS : padded(bounds);
}

/** As long as these are, the type is as it was: of an array one element is left, at 0. */
const SAME = ["sizeBytes", "lowerBoundBytes", "extentBytes", "trueLowerBoundBytes"] as const;

function bounded(type: Bounding, boundsOfChild: (child: Datatype) => Bounds): Bounds {
  const child = boundsOfChild(type.child);
  const bounds = explicitBounds(type, boundsOfChild);
  const isEmptyArray = type.kind !== "resized" && bounds.sizeBytes === 0;
  const inside = isEmptyArray ? NO_BOUNDS : child;
  const isSame = SAME.every((fact) => bounds[fact] === inside[fact]);
  return isSame ? inside : { ...bounds, alignmentBytes: inside.alignmentBytes, hasExplicitBounds: false };
}

/** Predefined types that are one type to yaksa, where that can be told: those aligned to a byte are never padded. */
const ONE_TYPE: readonly (readonly PredefinedName[])[] = [
  ["MPI_SHORT", "MPI_UNSIGNED_SHORT", "MPI_INT16_T", "MPI_UINT16_T"],
  ["MPI_INT", "MPI_UNSIGNED", "MPI_INT32_T", "MPI_UINT32_T"],
  [
    ...(["MPI_LONG", "MPI_UNSIGNED_LONG", "MPI_LONG_LONG_INT", "MPI_LONG_LONG", "MPI_UNSIGNED_LONG_LONG"] as const),
    ...(["MPI_INT64_T", "MPI_UINT64_T", "MPI_AINT", "MPI_COUNT", "MPI_OFFSET"] as const),
  ],
  ["MPI_C_COMPLEX", "MPI_C_FLOAT_COMPLEX", "MPI_CXX_FLOAT_COMPLEX"],
  ["MPI_C_DOUBLE_COMPLEX", "MPI_CXX_DOUBLE_COMPLEX"],
  ["MPI_C_LONG_DOUBLE_COMPLEX", "MPI_CXX_LONG_DOUBLE_COMPLEX"],
];

const SHARED: ReadonlyMap<PredefinedName, Bounds> = new Map(
  ONE_TYPE.flatMap((names) => {
    const bounds = Object.freeze(predefinedBounds(names[0] as PredefinedName));
    return names.map((name) => [name, bounds] as const);
  }),
);
