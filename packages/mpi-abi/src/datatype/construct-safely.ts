import {
  boundsOf,
  contiguous,
  predefined,
  resized,
  struct,
  type BoundsRule,
  type Datatype,
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
 * - MPICH 4.0.2 divides by zero in messages of structs with empty members.
 */
export function constructSafely(mpi: Mpi, node: Derived, handleOf: HandleOf, bounds: BoundsRule): number {
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
