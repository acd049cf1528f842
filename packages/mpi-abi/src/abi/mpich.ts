import type { Combiner, PredefinedName } from "@stowage/ir";
import type { Abi } from "./abi.js";
import { integerHandles } from "./handles.js";
import { MPICH_COMMUNICATION } from "./mpich-communication.js";

// mpi.h of MPICH 4.0; the numbers are the ABI that MPICH, Intel MPI and MVAPICH2 have agreed to keep since 2013.
const COMBINERS: readonly (readonly [number, Combiner])[] = [
  [1, "MPI_COMBINER_NAMED"],
  [2, "MPI_COMBINER_DUP"],
  [3, "MPI_COMBINER_CONTIGUOUS"],
  [4, "MPI_COMBINER_VECTOR"],
  [6, "MPI_COMBINER_HVECTOR"],
  [7, "MPI_COMBINER_INDEXED"],
  [9, "MPI_COMBINER_HINDEXED"],
  [10, "MPI_COMBINER_INDEXED_BLOCK"],
  [12, "MPI_COMBINER_STRUCT"],
  [13, "MPI_COMBINER_SUBARRAY"],
  [14, "MPI_COMBINER_DARRAY"],
  [18, "MPI_COMBINER_RESIZED"],
  [19, "MPI_COMBINER_HINDEXED_BLOCK"],
];

const DATATYPES: Readonly<Record<PredefinedName, number>> = {
  MPI_CHAR: 0x4c000101,
  MPI_SIGNED_CHAR: 0x4c000118,
  MPI_UNSIGNED_CHAR: 0x4c000102,
  MPI_SHORT: 0x4c000203,
  MPI_UNSIGNED_SHORT: 0x4c000204,
  MPI_INT: 0x4c000405,
  MPI_UNSIGNED: 0x4c000406,
  MPI_LONG: 0x4c000807,
  MPI_UNSIGNED_LONG: 0x4c000808,
  MPI_LONG_LONG_INT: 0x4c000809,
  MPI_UNSIGNED_LONG_LONG: 0x4c000819,
  MPI_FLOAT: 0x4c00040a,
  MPI_DOUBLE: 0x4c00080b,
  MPI_LONG_DOUBLE: 0x4c00100c,
  MPI_WCHAR: 0x4c00040e,
  MPI_C_BOOL: 0x4c00013f,
  MPI_INT8_T: 0x4c000137,
  MPI_INT16_T: 0x4c000238,
  MPI_INT32_T: 0x4c000439,
  MPI_INT64_T: 0x4c00083a,
  MPI_UINT8_T: 0x4c00013b,
  MPI_UINT16_T: 0x4c00023c,
  MPI_UINT32_T: 0x4c00043d,
  MPI_UINT64_T: 0x4c00083e,
  MPI_AINT: 0x4c000843,
  MPI_COUNT: 0x4c000845,
  MPI_OFFSET: 0x4c000844,
  MPI_CXX_BOOL: 0x4c000133,
  MPI_BYTE: 0x4c00010d,
  MPI_PACKED: 0x4c00010f,
  MPI_C_COMPLEX: 0x4c000840,
  MPI_C_DOUBLE_COMPLEX: 0x4c001041,
  MPI_C_LONG_DOUBLE_COMPLEX: 0x4c002042,
  MPI_CXX_FLOAT_COMPLEX: 0x4c000834,
  MPI_CXX_DOUBLE_COMPLEX: 0x4c001035,
  MPI_CXX_LONG_DOUBLE_COMPLEX: 0x4c002036,
  MPI_LONG_LONG: 0x4c000809,
  MPI_C_FLOAT_COMPLEX: 0x4c000840,
  MPI_FLOAT_INT: 0x8c000000,
  MPI_DOUBLE_INT: 0x8c000001,
  MPI_LONG_INT: 0x8c000002,
  MPI_2INT: 0x4c000816,
  MPI_SHORT_INT: 0x8c000003,
  MPI_LONG_DOUBLE_INT: 0x8c000004,
};

/** MPICH and those that keep its ABI: a handle is a 32-bit integer, the same in every build. */
export const MPICH: Abi = {
  family: "mpich",
  isStandard: false,
  bounds: "mpich",
  handleType: "uint32_t",
  wantsGlobalSymbols: false,
  arrayConstants: {
    orders: { C: 56, F: 57 },
    distributions: { block: 121, cyclic: 122, none: 123 },
    defaultDarg: -49767,
  },
  threadLevels: [0, 1, 2, 3],
  combiners: new Map(COMBINERS),
  versionOf: (description) =>
    /^(?:MPICH Version:|Intel\(R\) MPI Library|MVAPICH2? Version\s*:)\s*([\w.]+)/.exec(description)?.[1],
  handles: integerHandles,
  constants: (library) => ({
    world: 0x44000000,
    self: 0x44000001,
    errorsReturn: 0x54000001,
    typeAttribute: { copy: Number(library.symbol("MPIR_Dup_fn") as bigint), remove: 0 }, // its null function is NULL
    communication: MPICH_COMMUNICATION,
    datatypes: new Map(Object.entries(DATATYPES) as [PredefinedName, number][]),
  }),
};
