import type { Darray, Datatype, Struct, Subarray } from "@stowage/ir";
import type { Handles } from "../abi/handles.js";
import { call } from "../check.js";
import { MpiLibraryError } from "../errors.js";
import type { Mpi } from "../mpi.js";
import { intTable, wideTable } from "../native/tables.js";
import type { Derived } from "./derived.js";
import { hasLargeCounts } from "./large-counts.js";

export type HandleOf = (child: Datatype) => number;

/** The calls whose counts are C ints, and those of MPI 4.0 whose counts have 64 bits (MPI 4.1, section 19.2). */
const PLAIN = { suffix: "", counts: intTable } as const;
const LARGE = { suffix: "_c", counts: wideTable } as const;
type Form = typeof PLAIN | typeof LARGE;

/**
 * Makes the datatype of one node from its children's handles, by the constructor that the node is named for. Throws a
 * MpiLibraryError where its counts need calls that the library has not.
 */
export function construct(mpi: Mpi, type: Derived, handleOf: HandleOf): number {
  const form = hasLargeCounts(type) ? LARGE : PLAIN;
  if (form === LARGE && !mpi.exports("MPI_Type_contiguous_c")) {
    const expected = `counts up to 2^31 - 1, for ${mpi.name} has no calls for larger ones`;
    throw new MpiLibraryError(`MPI datatype of kind ${type.kind}: expected ${expected}, got a larger one`);
  }
  const made = mpi.abi.handles(1);
  callConstructor(mpi, form, type, handleOf, made.view);
  return mpi.live.hold(made.get(0));
}

function callConstructor(mpi: Mpi, form: Form, type: Derived, handleOf: HandleOf, made: ArrayBufferView): void {
  const { suffix, counts } = form;
  switch (type.kind) {
    case "contiguous":
      return call(mpi, `MPI_Type_contiguous${suffix}`, type.count, handleOf(type.child), made);
    case "vector": {
      const { count, blocklength, stride } = type;
      return call(mpi, `MPI_Type_vector${suffix}`, count, blocklength, stride, handleOf(type.child), made);
    }
    case "hvector": {
      const { count, blocklength, strideBytes } = type;
      return call(mpi, `MPI_Type_create_hvector${suffix}`, count, blocklength, strideBytes, handleOf(type.child), made);
    }
    case "indexed": {
      const [lengths, places] = [counts(type.blocklengths), counts(type.displacements)];
      const blocks = type.blocklengths.length;
      return call(mpi, `MPI_Type_indexed${suffix}`, blocks, lengths, places, handleOf(type.child), made);
    }
    case "hindexed": {
      const [lengths, places] = [counts(type.blocklengths), wideTable(type.displacementsBytes)];
      const blocks = type.blocklengths.length;
      return call(mpi, `MPI_Type_create_hindexed${suffix}`, blocks, lengths, places, handleOf(type.child), made);
    }
    case "indexed_block": {
      const [blocks, child, places] = [type.displacements.length, handleOf(type.child), counts(type.displacements)];
      return call(mpi, `MPI_Type_create_indexed_block${suffix}`, blocks, type.blocklength, places, child, made);
    }
    case "hindexed_block": {
      const [blocks, child] = [type.displacementsBytes.length, handleOf(type.child)];
      const places = wideTable(type.displacementsBytes);
      return call(mpi, `MPI_Type_create_hindexed_block${suffix}`, blocks, type.blocklength, places, child, made);
    }
    case "struct":
      return callStruct(mpi, form, type, handleOf, made);
    case "subarray":
      return callSubarray(mpi, form, type, handleOf(type.child), made);
    case "darray":
      return callDarray(mpi, form, type, handleOf(type.child), made);
    case "resized":
      return call(mpi, "MPI_Type_create_resized", handleOf(type.child), type.lowerBoundBytes, type.extentBytes, made);
    case "dup":
      return call(mpi, "MPI_Type_dup", handleOf(type.child), made);
  }
}

function callStruct(mpi: Mpi, form: Form, type: Struct, handleOf: HandleOf, made: ArrayBufferView): void {
  const [lengths, places] = [form.counts(type.blocklengths), wideTable(type.displacementsBytes)];
  const children = handlesOf(mpi, type.children, handleOf);
  call(mpi, `MPI_Type_create_struct${form.suffix}`, type.blocklengths.length, lengths, places, children.view, made);
}

function handlesOf(mpi: Mpi, children: readonly Datatype[], handleOf: HandleOf): Handles {
  const handles = mpi.abi.handles(children.length);
  children.forEach((child, i) => handles.set(i, handleOf(child)));
  return handles;
}

function callSubarray(mpi: Mpi, { counts, suffix }: Form, type: Subarray, child: number, made: ArrayBufferView): void {
  const [sizes, subsizes, starts] = [counts(type.sizes), counts(type.subsizes), counts(type.starts)];
  const order = mpi.abi.arrayConstants.orders[type.order];
  const dimensions = type.sizes.length;
  call(mpi, `MPI_Type_create_subarray${suffix}`, dimensions, sizes, subsizes, starts, order, child, made);
}

function callDarray(mpi: Mpi, { counts, suffix }: Form, type: Darray, child: number, made: ArrayBufferView): void {
  const { orders, distributions, defaultDarg } = mpi.abi.arrayConstants;
  const { size, rank, gsizes, psizes, order } = type;
  const distribs = intTable(type.distribs.map((distribution) => distributions[distribution]));
  const dargs = intTable(type.dargs.map((darg) => darg ?? defaultDarg));
  const shape = [gsizes.length, counts(gsizes), distribs, dargs, intTable(psizes)] as const;
  call(mpi, `MPI_Type_create_darray${suffix}`, size, rank, ...shape, orders[order], child, made);
}
