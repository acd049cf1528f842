import type { Darray, Datatype, Predefined, Struct, Subarray } from "@stowage/ir";
import type { Handles } from "../abi/handles.js";
import { call } from "../check.js";
import type { Mpi } from "../mpi.js";
import { intTable, wideTable } from "../native/tables.js";

/** A datatype that a constructor made. */
export type Derived = Exclude<Datatype, Predefined>;
export type HandleOf = (child: Datatype) => number;

/** Makes the datatype of one node from its children's handles, by the constructor that the node is named for. */
export function construct(mpi: Mpi, type: Derived, handleOf: HandleOf): number {
  const made = mpi.abi.handles(1);
  callConstructor(mpi, type, handleOf, made.view);
  return mpi.live.hold(made.get(0));
}

function callConstructor(mpi: Mpi, type: Derived, handleOf: HandleOf, made: ArrayBufferView): void {
  switch (type.kind) {
    case "contiguous":
      return call(mpi, "MPI_Type_contiguous", type.count, handleOf(type.child), made);
    case "vector": {
      const { count, blocklength, stride } = type;
      return call(mpi, "MPI_Type_vector", count, blocklength, stride, handleOf(type.child), made);
    }
    case "hvector": {
      const { count, blocklength, strideBytes } = type;
      return call(mpi, "MPI_Type_create_hvector", count, blocklength, strideBytes, handleOf(type.child), made);
    }
    case "indexed": {
      const [lengths, places] = [intTable(type.blocklengths), intTable(type.displacements)];
      return call(mpi, "MPI_Type_indexed", lengths.length, lengths, places, handleOf(type.child), made);
    }
    case "hindexed": {
      const [lengths, places] = [intTable(type.blocklengths), wideTable(type.displacementsBytes)];
      return call(mpi, "MPI_Type_create_hindexed", lengths.length, lengths, places, handleOf(type.child), made);
    }
    case "indexed_block": {
      const [child, places] = [handleOf(type.child), intTable(type.displacements)];
      return call(mpi, "MPI_Type_create_indexed_block", places.length, type.blocklength, places, child, made);
    }
    case "hindexed_block": {
      const [count, places] = [type.displacementsBytes.length, wideTable(type.displacementsBytes)];
      const child = handleOf(type.child);
      return call(mpi, "MPI_Type_create_hindexed_block", count, type.blocklength, places, child, made);
    }
    case "struct":
      return callStruct(mpi, type, handleOf, made);
    case "subarray":
      return callSubarray(mpi, type, handleOf(type.child), made);
    case "darray":
      return callDarray(mpi, type, handleOf(type.child), made);
    case "resized":
      return call(mpi, "MPI_Type_create_resized", handleOf(type.child), type.lowerBoundBytes, type.extentBytes, made);
    case "dup":
      return call(mpi, "MPI_Type_dup", handleOf(type.child), made);
  }
}

function callStruct(mpi: Mpi, type: Struct, handleOf: HandleOf, made: ArrayBufferView): void {
  const [lengths, places] = [intTable(type.blocklengths), wideTable(type.displacementsBytes)];
  const children = handlesOf(mpi, type.children, handleOf);
  call(mpi, "MPI_Type_create_struct", lengths.length, lengths, places, children.view, made);
}

export function handlesOf(mpi: Mpi, children: readonly Datatype[], handleOf: HandleOf): Handles {
  const handles = mpi.abi.handles(children.length);
  children.forEach((child, i) => handles.set(i, handleOf(child)));
  return handles;
}

function callSubarray(mpi: Mpi, type: Subarray, child: number, made: ArrayBufferView): void {
  const [sizes, subsizes, starts] = [type.sizes, type.subsizes, type.starts].map(intTable) as Tables<3>;
  const order = mpi.abi.arrayConstants.orders[type.order];
  call(mpi, "MPI_Type_create_subarray", sizes.length, sizes, subsizes, starts, order, child, made);
}

function callDarray(mpi: Mpi, type: Darray, child: number, made: ArrayBufferView): void {
  const { orders, distributions, defaultDarg } = mpi.abi.arrayConstants;
  const distribs = type.distribs.map((distribution) => distributions[distribution]);
  const dargs = type.dargs.map((darg) => darg ?? defaultDarg);
  const lists = [type.gsizes, distribs, dargs, type.psizes].map(intTable) as Tables<4>;
  const order = orders[type.order];
  call(mpi, "MPI_Type_create_darray", type.size, type.rank, type.gsizes.length, ...lists, order, child, made);
}

type Tables<N extends 3 | 4> = N extends 3
  ? [Int32Array, Int32Array, Int32Array]
  : [Int32Array, Int32Array, Int32Array, Int32Array];
