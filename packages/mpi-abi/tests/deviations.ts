import { boundsOf, visitPostOrder, type BoundsRule, type Datatype, type Struct } from "@stowage/ir";
import type { Mpi, MpiFamily } from "../src/index.js";

/** Whether a datatype, or one that it is made of, is such a one. */
function holds(datatype: Datatype, isSuch: (node: Datatype) => boolean): boolean {
  const seen = new Set<Datatype>();
  let found = false;
  visitPostOrder(
    datatype,
    (node) => seen.has(node),
    (node) => {
      seen.add(node);
      found ||= isSuch(node);
    },
  );
  return found;
}

/** Open MPI takes a stride of -1 byte for the extent of what repeats: data and bounds lie elsewhere. */
export const stepsBackByOne = (datatype: Datatype): boolean =>
  holds(
    datatype,
    (node) =>
      (node.kind === "hvector" && node.strideBytes === -1) ||
      (node.kind === "vector" && node.stride * boundsOf(node.child, { bounds: "open-mpi" }).extentBytes === -1),
  );

const COMPLEX = /^MPI_(C|CXX)_(FLOAT_|DOUBLE_)?COMPLEX$/;

/**
 * Open MPI 5.0 (5.0.7) packs a vector of complex numbers from other places where its stride is no multiple of their
 * size: of an hvector of 3 MPI_C_FLOAT_COMPLEX, 28 bytes apart, all but the first. 4.1.4 and 6.0.0rc2 do not.
 */
export const isMispacked = ({ family, version }: Mpi, datatype: Datatype): boolean =>
  family === "openmpi" &&
  version.startsWith("5.0.") &&
  holds(
    datatype,
    (node) =>
      node.kind === "hvector" &&
      node.child.kind === "predefined" &&
      COMPLEX.test(node.child.name) &&
      node.strideBytes % boundsOf(node.child).extentBytes !== 0,
  );

/**
 * Whether an MPI may move a long double as a number, without its 6 bytes of padding, which the standard leaves open:
 * MPICH, and Open MPI from 5.0 on in types of some shapes.
 */
export const mayLosePadding = ({ family, version }: Mpi): boolean => family === "mpich" || !/^[0-4]\./.test(version);

/** Open MPI refuses a darray of a type that was never given a member. */
export const isRefused = (datatype: Datatype): boolean =>
  holds(datatype, (node) => node.kind === "darray" && isNull(node.child));

/** What Open MPI makes as a copy of its null datatype, and what keeps that. */
function isNull(node: Datatype): boolean {
  switch (node.kind) {
    case "dup":
    case "resized":
      return isNull(node.child);
    case "contiguous":
      return node.count === 0 || isEmpty(node.child);
    case "indexed":
    case "hindexed":
      return node.blocklengths.every((length) => length === 0) || isEmpty(node.child);
    case "vector":
    case "hvector":
      return node.count === 0 || node.blocklength === 0;
    case "indexed_block":
      return node.displacements.length === 0 || node.blocklength === 0;
    case "hindexed_block":
      return node.displacementsBytes.length === 0 || node.blocklength === 0;
    case "struct":
      return node.blocklengths.every((length) => length === 0);
    case "predefined":
    case "subarray":
    case "darray":
      return false;
  }
}

const isEmpty = (datatype: Datatype): boolean => boundsOf(datatype).sizeBytes === 0;

/** Whether a struct inside has a member of no bytes. */
export const hasEmptyMember = (datatype: Datatype, bounds: BoundsRule): boolean =>
  holds(
    datatype,
    (node) => node.kind === "struct" && counted(node).some((child) => boundsOf(child, { bounds }).sizeBytes === 0),
  );

/** The members that are there at all. */
const counted = ({ children, blocklengths }: Struct): readonly Datatype[] =>
  children.filter((_, i) => blocklengths[i] !== 0);

/**
 * Whether an MPI does by a datatype, and all that it is made of, what the standard says: the cases where it does not.
 */
export const isOfStandard = (family: MpiFamily, datatype: Datatype): boolean =>
  !holds(datatype, family === "openmpi" ? openMpiAlone : mpichAlone);

/** Copies of an empty type have places, or lose their markers; constructors other than structs are padded. */
function openMpiAlone(node: Datatype): boolean {
  switch (node.kind) {
    case "predefined":
    case "resized":
    case "dup":
    case "subarray":
    case "darray":
      return false;
    case "struct":
      return counted(node).some(isEmpty) || isMisplaced(node);
    case "contiguous":
    case "vector":
    case "indexed":
    case "indexed_block":
      return isEmpty(node.child);
    case "hvector":
      return isEmpty(node.child) || isMisaligned(node.child, [node.strideBytes]);
    case "hindexed":
    case "hindexed_block":
      return isEmpty(node.child) || isMisaligned(node.child, node.displacementsBytes);
  }
}

/** No bounds are sticky; blocks of no copies reach from the first to the last; structs of one type are not padded. */
function mpichAlone(node: Datatype): boolean {
  switch (node.kind) {
    case "predefined":
    case "resized":
    case "dup":
    case "subarray":
    case "darray":
      return false;
    case "struct":
      return counted(node).some((child) => isEmpty(child) || isMarked(child)) || isMisplaced(node);
    case "vector":
    case "hvector":
    case "indexed_block":
    case "hindexed_block":
      return node.blocklength === 0 || isEmpty(node.child);
    case "contiguous":
    case "indexed":
    case "hindexed":
      return isEmpty(node.child);
  }
}

const isMarked = (datatype: Datatype): boolean => boundsOf(datatype).hasExplicitBounds;

const isMisaligned = (child: Datatype, bytes: Iterable<number>): boolean =>
  [...bytes].some((each) => each % boundsOf(child).alignmentBytes !== 0);

const isMisplaced = (node: Struct): boolean => {
  const { alignmentBytes } = boundsOf(node);
  return (
    node.displacementsBytes.some((each) => each % alignmentBytes !== 0) ||
    counted(node).some((child) => boundsOf(child).extentBytes % alignmentBytes !== 0)
  );
};
