import { boundsOf, childrenOf, visitPostOrder, type Datatype, type Struct } from "@stowage/ir";
import type { MpiFamily } from "../src/index.js";

// Where Open MPI 4.1.4 and MPICH 4.0.2 differ from each other; ir follows the one that the standard's words bear out.

/** Whether an MPI gives the type, or one inside it, bounds that the other MPI does not. */
export const deviates = (family: MpiFamily, datatype: Datatype): boolean =>
  holds(datatype, family === "openmpi" ? openMpiAlone : mpichAlone);

/** Open MPI lets true bounds of empty types be anything, and MPICH counts empty members for them. */
export const hasTrueBounds = (family: MpiFamily, datatype: Datatype): boolean =>
  boundsOf(datatype).sizeBytes > 0 &&
  (family === "openmpi" || !holds(datatype, (node) => childrenOf(node).some(isEmpty)));

const isEmpty = (datatype: Datatype): boolean => boundsOf(datatype).sizeBytes === 0;

/** Whether the type, or one that it is made of, is such a one. */
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

function openMpiAlone(node: Datatype): boolean {
  // Copies of an empty type have places: hvector(3, 1, 100, empty) has an extent of 200, a struct of nothing else a
  // lower bound. And a darray of an empty type is refused.
  const members = node.kind === "struct" ? counted(node) : childrenOf(node);
  const ofNothing = members.length > 0 && members.every((child) => isNothing(node, child));
  if (ofNothing && node.kind !== "dup" && node.kind !== "resized") return true;
  // A stride of -1 byte is taken for the extent of what repeats.
  if (node.kind === "hvector") return node.strideBytes === -1;
  return node.kind === "vector" && node.stride * boundsOf(node.child).extentBytes === -1;
}

/** Only a struct lets bounds that a user gave an empty type count. */
const isNothing = ({ kind }: Datatype, child: Datatype): boolean =>
  isEmpty(child) && !(kind === "struct" && boundsOf(child).hasExplicitBounds);

function mpichAlone(node: Datatype): boolean {
  switch (node.kind) {
    case "struct":
      return isMisplaced(node) || (hasExplicitMember(node) && deviatesByExplicit(node));
    // Blocks of no children reach from the first to the last.
    case "vector":
      return node.blocklength === 0;
    case "hvector":
      return node.blocklength === 0 || isMisaligned(node.child, [node.strideBytes]);
    case "indexed_block":
      return node.blocklength === 0;
    case "hindexed_block":
      return node.blocklength === 0 || isMisaligned(node.child, node.displacementsBytes);
    // Where something is misaligned, no struct around it is padded.
    case "hindexed":
      return isMisaligned(node.child, node.displacementsBytes);
    case "resized":
      return isMisaligned(node.child, [node.lowerBoundBytes, node.extentBytes]);
    case "predefined":
    case "contiguous":
    case "indexed":
    case "subarray":
    case "darray":
    case "dup":
      return false;
  }
}

const isMisaligned = (child: Datatype, bytes: Iterable<number>): boolean =>
  [...bytes].some((each) => each % boundsOf(child).alignmentBytes !== 0);

const isMisplaced = ({ children, displacementsBytes }: Struct): boolean =>
  children.some((child, i) => isMisaligned(child, [displacementsBytes[i] as number]));

const hasExplicitMember = (node: Struct): boolean => counted(node).some((child) => boundsOf(child).hasExplicitBounds);

/**
 * Bounds that a user set do not prevail over those of members beside them, are padded as any others, and are none where
 * all members are empty.
 */
function deviatesByExplicit(node: Struct): boolean {
  const { sizeBytes, extentBytes, alignmentBytes } = boundsOf(node);
  const isMixed = counted(node).some((child) => !boundsOf(child).hasExplicitBounds);
  return isMixed || sizeBytes === 0 || extentBytes % alignmentBytes !== 0;
}

/** The members that are there at all. */
const counted = ({ children, blocklengths }: Struct): readonly Datatype[] =>
  children.filter((_, i) => blocklengths[i] !== 0);
