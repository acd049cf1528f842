import { PREDEFINED_NAMES, type Combiner, type PredefinedName } from "@stowage/ir";
import type { LibraryHandle } from "koffi";
import type { Abi } from "./abi.js";
import { pointerHandles } from "./handles.js";
import { openMpiCommunication } from "./open-mpi-communication.js";

// mpi.h of Open MPI 4.1; the same since 1.7, and in 5.0. Combiners count from 0 in the order of the enumeration.
const COMBINERS: readonly (Combiner | undefined)[] = [
  "MPI_COMBINER_NAMED",
  "MPI_COMBINER_DUP",
  "MPI_COMBINER_CONTIGUOUS",
  "MPI_COMBINER_VECTOR",
  undefined,
  "MPI_COMBINER_HVECTOR",
  "MPI_COMBINER_INDEXED",
  undefined,
  "MPI_COMBINER_HINDEXED",
  "MPI_COMBINER_INDEXED_BLOCK",
  undefined,
  "MPI_COMBINER_STRUCT",
  "MPI_COMBINER_SUBARRAY",
  "MPI_COMBINER_DARRAY",
  undefined,
  undefined,
  undefined,
  "MPI_COMBINER_RESIZED",
  "MPI_COMBINER_HINDEXED_BLOCK",
];

/** Symbols that are not the MPI name in lower case. */
const SYMBOLS: Partial<Record<PredefinedName, string>> = {
  MPI_LONG_LONG: "ompi_mpi_long_long_int",
  MPI_C_COMPLEX: "ompi_mpi_c_float_complex",
  MPI_CXX_FLOAT_COMPLEX: "ompi_mpi_cxx_cplex",
  MPI_CXX_DOUBLE_COMPLEX: "ompi_mpi_cxx_dblcplex",
  MPI_CXX_LONG_DOUBLE_COMPLEX: "ompi_mpi_cxx_ldblcplex",
  MPI_LONG_DOUBLE_INT: "ompi_mpi_longdbl_int",
};

/** Open MPI: a handle is the address of an object, and that of a constant the address of an exported symbol. */
export const OPEN_MPI: Abi = {
  family: "openmpi",
  isStandard: false,
  bounds: "open-mpi",
  handleType: "uintptr_t",
  wantsGlobalSymbols: true,
  arrayConstants: {
    orders: { C: 0, F: 1 },
    distributions: { block: 0, cyclic: 1, none: 2 },
    defaultDarg: -1,
  },
  threadLevels: [0, 1, 2, 3],
  combiners: new Map([...COMBINERS.entries()].flatMap(([i, name]) => (name === undefined ? [] : [[i, name]]))),
  versionOf: (description) => /^Open MPI v([\w.]+)/.exec(description)?.[1],
  handles: pointerHandles,
  constants: (library) => ({
    world: addressOf(library, "ompi_mpi_comm_world"),
    self: addressOf(library, "ompi_mpi_comm_self"),
    errorsReturn: addressOf(library, "ompi_mpi_errors_return"),
    typeAttribute: {
      copy: addressOf(library, "OMPI_C_MPI_TYPE_DUP_FN"),
      remove: addressOf(library, "OMPI_C_MPI_TYPE_NULL_DELETE_FN"),
    },
    communication: openMpiCommunication(library),
    datatypes: new Map(PREDEFINED_NAMES.flatMap((name) => datatypeHandle(library, name))),
  }),
};

function datatypeHandle(library: LibraryHandle, name: PredefinedName): [PredefinedName, number][] {
  const symbol = SYMBOLS[name] ?? name.replace("MPI_", "ompi_mpi_").toLowerCase();
  try {
    return [[name, addressOf(library, symbol)]];
  } catch {
    return []; // built without that language's types
  }
}

const addressOf = (library: LibraryHandle, symbol: string): number => Number(library.symbol(symbol) as bigint);
