import type { Darray, Struct, Subarray } from "@stowage/ir";
import { call } from "../check.js";
import { MpiLibraryError } from "../errors.js";
import type { Mpi } from "../mpi.js";
import { intTable, wideTable } from "../native/tables.js";
import { handlesOf, type Derived, type HandleOf } from "./construct.js";

/**
 * As `construct`, through MPI 4.0's calls with counts of 64 bits (MPI 4.1, section 19.2).
 * Throws a MpiLibraryError where the library has none of them.
 */
export function constructLarge(mpi: Mpi, type: Derived, handleOf: HandleOf): number {
  if (!mpi.exports("MPI_Type_contiguous_c")) {
    const expected = `counts up to 2^31 - 1, for ${mpi.name} has no calls for larger ones`;
    throw new MpiLibraryError(`MPI datatype of kind ${type.kind}: expected ${expected}, got a larger one`);
  }
  const made = mpi.abi.handles(1);
  callConstructor(mpi, type, handleOf, made.view);
  return mpi.live.hold(made.get(0));
}

function callConstructor(mpi: Mpi, type: Derived, handleOf: HandleOf, made: ArrayBufferView): void {
  switch (type.kind) {
    case "contiguous":
      return call(mpi, "MPI_Type_contiguous_c", type.count, handleOf(type.child), made);
    case "vector": {
      const { count, blocklength, stride } = type;
      return call(mpi, "MPI_Type_vector_c", count, blocklength, stride, handleOf(type.child), made);
    }
    case "hvector": {
      const { count, blocklength, strideBytes } = type;
      return call(mpi, "MPI_Type_create_hvector_c", count, blocklength, strideBytes, handleOf(type.child), made);
    }
    case "indexed": {
      const [lengths, places] = [wideTable(type.blocklengths), wideTable(type.displacements)];
      return call(mpi, "MPI_Type_indexed_c", type.blocklengths.length, lengths, places, handleOf(type.child), made);
    }
    case "hindexed": {
      const [lengths, places] = [wideTable(type.blocklengths), wideTable(type.displacementsBytes)];
      const child = handleOf(type.child);
      return call(mpi, "MPI_Type_create_hindexed_c", type.blocklengths.length, lengths, places, child, made);
    }
    case "indexed_block": {
      const [count, places] = [type.displacements.length, wideTable(type.displacements)];
      const child = handleOf(type.child);
      return call(mpi, "MPI_Type_create_indexed_block_c", count, type.blocklength, places, child, made);
    }
    case "hindexed_block": {
      const [count, places] = [type.displacementsBytes.length, wideTable(type.displacementsBytes)];
      const child = handleOf(type.child);
      return call(mpi, "MPI_Type_create_hindexed_block_c", count, type.blocklength, places, child, made);
    }
    case "struct":
      return callStruct(mpi, type, handleOf, made);
    case "subarray":
      return callSubarray(mpi, type, handleOf(type.child), made);
    case "darray":
      return callDarray(mpi, type, handleOf(type.child), made);
    case "resized":
    case "dup":
      throw new RangeError(`constructor of ${type.kind}: expected one that takes a count, got one that takes none`);
  }
}

function callStruct(mpi: Mpi, type: Struct, handleOf: HandleOf, made: ArrayBufferView): void {
  const [lengths, places] = [wideTable(type.blocklengths), wideTable(type.displacementsBytes)];
  const children = handlesOf(mpi, type.children, handleOf);
  call(mpi, "MPI_Type_create_struct_c", type.blocklengths.length, lengths, places, children.view, made);
}

function callSubarray(mpi: Mpi, type: Subarray, child: number, made: ArrayBufferView): void {
  const [sizes, subsizes, starts] = [wideTable(type.sizes), wideTable(type.subsizes), wideTable(type.starts)];
  const order = mpi.abi.arrayConstants.orders[type.order];
  call(mpi, "MPI_Type_create_subarray_c", type.sizes.length, sizes, subsizes, starts, order, child, made);
}

function callDarray(mpi: Mpi, type: Darray, child: number, made: ArrayBufferView): void {
  const { orders, distributions, defaultDarg } = mpi.abi.arrayConstants;
  const distribs = intTable(type.distribs.map((distribution) => distributions[distribution]));
  const dargs = intTable(type.dargs.map((darg) => darg ?? defaultDarg));
  const [gsizes, psizes] = [wideTable(type.gsizes), intTable(type.psizes)];
  const { size, rank, order } = type;
  const dimensions = type.gsizes.length;
  call(
    mpi,
    "MPI_Type_create_darray_c",
    size,
    rank,
    dimensions,
    gsizes,
    distribs,
    dargs,
    psizes,
    orders[order],
    child,
    made,
  );
}
