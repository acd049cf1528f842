import type { ChildDatatype } from "./child-datatype.js";
import { contiguous } from "./contiguous.js";
import { darray } from "./darray.js";
import type {
  Contiguous,
  Darray,
  Dup,
  Hindexed,
  HindexedBlock,
  Hvector,
  Indexed,
  IndexedBlock,
  Resized,
  Struct,
  Subarray,
  Vector,
} from "./datatype.js";
import type { Distribution } from "./distribution.js";
import { dup } from "./dup.js";
import { hindexed } from "./hindexed.js";
import { hindexedBlock } from "./hindexed-block.js";
import { hvector } from "./hvector.js";
import { indexed } from "./indexed.js";
import { indexedBlock } from "./indexed-block.js";
import { requireList, requireSameLength, type IntegerList } from "./integer-list.js";
import type { Order } from "./order.js";
import { requireCount } from "./require-integer.js";
import { resized } from "./resized.js";
import { struct } from "./struct.js";
import { subarray } from "./subarray.js";
import { vector } from "./vector.js";

// The builders again, under MPI's names and with its arguments in its order (MPI 4.1, section 5.1): a program in C can
// be carried over call by call. Counts of lists come first, as there, and must be the lists' lengths.

/** `count` copies of `oldtype`, one extent apart: MPI_Type_contiguous(count, oldtype, &newtype). */
export const typeContiguous = (count: number, oldtype: ChildDatatype): Contiguous => contiguous(count, oldtype);

/**
 * `count` blocks of `blocklength` copies of `oldtype`, `stride` extents of it apart:
 * MPI_Type_vector(count, blocklength, stride, oldtype, &newtype).
 */
export const typeVector = (count: number, blocklength: number, stride: number, oldtype: ChildDatatype): Vector =>
  vector(count, blocklength, stride, oldtype);

/**
 * As `typeVector`, with the stride in bytes:
 * MPI_Type_create_hvector(count, blocklength, stride, oldtype, &newtype).
 */
export const typeCreateHvector = (
  count: number,
  blocklength: number,
  strideBytes: number,
  oldtype: ChildDatatype,
): Hvector => hvector(count, blocklength, strideBytes, oldtype);

/**
 * Block i: `blocklengths[i]` copies of `oldtype`, `displacements[i]` extents of it from the start:
 * MPI_Type_indexed(count, blocklengths, displacements, oldtype, &newtype).
 */
export function typeIndexed(
  count: number,
  blocklengths: IntegerList,
  displacements: IntegerList,
  oldtype: ChildDatatype,
): Indexed {
  requireCountOf(blocklengths, count, "blocklengths");
  return indexed(blocklengths, displacements, oldtype);
}

/**
 * As `typeIndexed`, with displacements in bytes:
 * MPI_Type_create_hindexed(count, blocklengths, displacements, oldtype, &newtype).
 */
export function typeCreateHindexed(
  count: number,
  blocklengths: IntegerList,
  displacementsBytes: IntegerList,
  oldtype: ChildDatatype,
): Hindexed {
  requireCountOf(blocklengths, count, "blocklengths");
  return hindexed(blocklengths, displacementsBytes, oldtype);
}

/**
 * `count` blocks of `blocklength` copies of `oldtype` each, `displacements[i]` extents of it from the start:
 * MPI_Type_create_indexed_block(count, blocklength, displacements, oldtype, &newtype).
 */
export function typeCreateIndexedBlock(
  count: number,
  blocklength: number,
  displacements: IntegerList,
  oldtype: ChildDatatype,
): IndexedBlock {
  requireCountOf(displacements, count, "displacements");
  return indexedBlock(blocklength, displacements, oldtype);
}

/**
 * As `typeCreateIndexedBlock`, with displacements in bytes:
 * MPI_Type_create_hindexed_block(count, blocklength, displacements, oldtype, &newtype).
 */
export function typeCreateHindexedBlock(
  count: number,
  blocklength: number,
  displacementsBytes: IntegerList,
  oldtype: ChildDatatype,
): HindexedBlock {
  requireCountOf(displacementsBytes, count, "displacements");
  return hindexedBlock(blocklength, displacementsBytes, oldtype);
}

/**
 * Member i: `blocklengths[i]` copies of `types[i]` from byte `displacementsBytes[i]`:
 * MPI_Type_create_struct(count, blocklengths, displacements, types, &newtype).
 */
export function typeCreateStruct(
  count: number,
  blocklengths: IntegerList,
  displacementsBytes: IntegerList,
  types: readonly ChildDatatype[],
): Struct {
  requireCountOf(blocklengths, count, "blocklengths");
  return struct(blocklengths, displacementsBytes, types);
}

/**
 * The box of `subsizes` elements at `starts` of an array of `sizes`; "C" is MPI_ORDER_C, "F" MPI_ORDER_FORTRAN:
 * MPI_Type_create_subarray(ndims, sizes, subsizes, starts, order, oldtype, &newtype).
 */
export function typeCreateSubarray(
  ndims: number,
  sizes: IntegerList,
  subsizes: IntegerList,
  starts: IntegerList,
  order: Order,
  oldtype: ChildDatatype,
): Subarray {
  requireCountOf(sizes, ndims, "sizes");
  return subarray({ sizes, subsizes, starts, order, child: oldtype });
}

/**
 * What process `rank` of `size` holds of a distributed array; null among `dargs` is MPI_DISTRIBUTE_DFLT_DARG:
 * MPI_Type_create_darray(size, rank, ndims, gsizes, distribs, dargs, psizes, order, oldtype, &newtype).
 */
export function typeCreateDarray(
  size: number,
  rank: number,
  ndims: number,
  gsizes: IntegerList,
  distribs: readonly Distribution[],
  dargs: readonly (number | null)[],
  psizes: IntegerList,
  order: Order,
  oldtype: ChildDatatype,
): Darray {
  requireCountOf(gsizes, ndims, "gsizes");
  return darray({ size, rank, gsizes, distribs, dargs, psizes, order, child: oldtype });
}

/** `oldtype` with bounds of the user's: MPI_Type_create_resized(oldtype, lb, extent, &newtype), both in bytes. */
export const typeCreateResized = (oldtype: ChildDatatype, lowerBoundBytes: number, extentBytes: number): Resized =>
  resized(lowerBoundBytes, extentBytes, oldtype);

/** `oldtype` under a new handle: MPI_Type_dup(oldtype, &newtype). */
export const typeDup = (oldtype: ChildDatatype): Dup => dup(oldtype);

function requireCountOf(list: IntegerList, count: number, path: string): void {
  const length = requireCount(count, "count", `count of ${path}`);
  requireSameLength({ length }, requireList(list, path, path), path, `length of ${path}`, "entries, the count given");
}
