import {
  boundsOf,
  contiguous,
  hvector,
  predefined,
  resized,
  struct,
  type BoundsRule,
  type Datatype,
  type IntegerTable,
  type Struct,
} from "@stowage/ir";
import type { Mpi } from "../mpi.js";
import { construct, type HandleOf } from "./construct.js";
import type { Derived } from "./derived.js";
import { freeHandle } from "./mpi-datatype.js";
import { predefinedHandle } from "./predefined-handle.js";

const byte = predefined("MPI_BYTE");

/**
 * Makes a datatype by another constructor where the MPI makes it wrongly by its own. The type map is the same; the
 * bounds are not, and are the caller's to set: `bounds` says by which rule those of the children are.
 * - Open MPI 4.1.4 refuses a darray of an empty type, takes a stride of -1 byte for the extent of what repeats, and
 *   packs structs with empty members from other places.
 * - MPICH 4.0.2 divides by zero in messages of structs with empty members, and puts the second element of a block of
 *   copies that step backwards where the block would go on, which its bounds do not say.
 */
export function constructSafely(mpi: Mpi, node: Derived, handleOf: HandleOf, bounds: BoundsRule): number {
  if (mpi.family === "mpich" && isBlockBackwards(node, bounds)) {
    const { child, copies } = soleBlock(node) as Block;
    const strideBytes = boundsOf(child, { bounds }).extentBytes;
    return construct(mpi, hvector(copies, 1, strideBytes, child), handleOf);
  }
  if (node.kind === "struct") return construct(mpi, withoutEmpty(node), handleOf);
  if (mpi.family === "openmpi" && node.kind === "darray" && isEmpty(node))
    return construct(mpi, contiguous(0, byte), () => predefinedHandle(mpi, "MPI_BYTE"));
  return mpi.family === "openmpi" && stepsBackByOne(node, bounds)
    ? stepBack(mpi, node, handleOf, bounds)
    : construct(mpi, node, handleOf);
}

const isEmpty = (datatype: Datatype): boolean => boundsOf(datatype).sizeBytes === 0;

/** Members of no bytes, none times. */
function withoutEmpty(node: Struct): Struct {
  const { blocklengths, displacementsBytes, children } = node;
  if (!children.some(isEmpty)) return node;
  const lengths = children.map((child, i) => (isEmpty(child) ? 0 : (blocklengths[i] as number)));
  return struct(lengths, displacementsBytes, children);
}

/** So many copies of a child, one extent apart, from 0 on. */
interface Block {
  readonly child: Datatype;
  readonly copies: number;
}

function isBlockBackwards(node: Derived, bounds: BoundsRule): boolean {
  const block = soleBlock(node);
  return block !== undefined && block.copies > 1 && boundsOf(block.child, { bounds }).extentBytes < 0;
}

/** The one block that a datatype is, where it is no more. */
function soleBlock(node: Derived): Block | undefined {
  switch (node.kind) {
    case "contiguous":
      return { child: node.child, copies: node.count };
    case "vector":
    case "hvector":
      return node.count === 1 ? { child: node.child, copies: node.blocklength } : undefined;
    case "indexed":
      return soleOf(node.child, node.displacements, node.blocklengths[0]);
    case "hindexed":
      return soleOf(node.child, node.displacementsBytes, node.blocklengths[0]);
    case "indexed_block":
      return soleOf(node.child, node.displacements, node.blocklength);
    case "hindexed_block":
      return soleOf(node.child, node.displacementsBytes, node.blocklength);
    case "struct": {
      const [child] = node.children;
      return child && soleOf(child, node.displacementsBytes, node.blocklengths[0]);
    }
    case "subarray":
    case "darray":
    case "resized":
    case "dup":
      return undefined;
  }
}

function soleOf(child: Datatype, displacements: IntegerTable, copies = 0): Block | undefined {
  return displacements.length === 1 && displacements[0] === 0 ? { child, copies } : undefined;
}

type Strided = Datatype & { readonly kind: "vector" | "hvector" };

function stepsBackByOne(node: Derived, bounds: BoundsRule): node is Strided {
  if (node.kind === "hvector") return node.strideBytes === -1;
  return node.kind === "vector" && node.stride * boundsOf(node.child, { bounds }).extentBytes === -1;
}

/** hvector(n, b, -1, T) = contiguous(n, resized(lb, -1, contiguous(b, T))): an extent of -1 is taken for what it is. */
function stepBack(mpi: Mpi, { count, blocklength, child }: Strided, handleOf: HandleOf, bounds: BoundsRule): number {
  const block = contiguous(blocklength, child);
  const { lowerBoundBytes } = boundsOf(block, { bounds });
  const step = resized(lowerBoundBytes, -1, block);
  const made: number[] = [];
  const keep = (handle: number): number => (made.push(handle), handle);
  try {
    const first = keep(construct(mpi, block, handleOf));
    const second = keep(construct(mpi, step, () => first));
    return construct(mpi, contiguous(count, step), () => second);
  } finally {
    for (const handle of made) freeHandle(mpi, handle);
  }
}
