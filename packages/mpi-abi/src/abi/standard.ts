import type { Combiner, PredefinedName } from "@stowage/ir";
import type { Abi } from "./abi.js";
import { pointerHandles } from "./handles.js";
import { MPICH } from "./mpich.js";
import { OPEN_MPI } from "./open-mpi.js";
import { standardCommunication } from "./standard-communication.js";
import { STANDARD_DATATYPES } from "./standard-datatypes.js";

// MPI 5.0, appendix A.1: datatype decoding constants.
export const STANDARD_COMBINERS: readonly (readonly [number, Combiner])[] = [
  [101, "MPI_COMBINER_NAMED"],
  [102, "MPI_COMBINER_DUP"],
  [103, "MPI_COMBINER_CONTIGUOUS"],
  [104, "MPI_COMBINER_VECTOR"],
  [105, "MPI_COMBINER_HVECTOR"],
  [106, "MPI_COMBINER_INDEXED"],
  [107, "MPI_COMBINER_HINDEXED"],
  [108, "MPI_COMBINER_INDEXED_BLOCK"],
  [109, "MPI_COMBINER_HINDEXED_BLOCK"],
  [110, "MPI_COMBINER_STRUCT"],
  [111, "MPI_COMBINER_SUBARRAY"],
  [112, "MPI_COMBINER_DARRAY"],
  [116, "MPI_COMBINER_RESIZED"],
];

/** MPI_TYPE_DUP_FN and MPI_TYPE_NULL_DELETE_FN (MPI 5.0, section A.1). */
const DUP_FN = 1;
const NULL_DELETE_FN = 0;

/** A handle is a pointer that is never followed; predefined ones are the numbers of chapter 20. */
const standardOver = (below: Abi): Abi => ({
  family: below.family,
  isStandard: true,
  bounds: below.bounds,
  handleType: "uintptr_t",
  wantsGlobalSymbols: below.wantsGlobalSymbols,
  arrayConstants: {
    orders: { C: 12, F: 15 },
    distributions: { none: 16, block: 17, cyclic: 18 },
    defaultDarg: 19,
  },
  arrayConstantsInside: below.arrayConstants, // Open MPI 6.0.0rc2's MPI_Type_get_contents translates none
  threadLevels: [0, 1024, 2048, 4096],
  combiners: new Map(STANDARD_COMBINERS),
  versionOf: (description) => below.versionOf(description),
  handles: pointerHandles,
  constants: (library) => ({
    world: 0x101,
    self: 0x102,
    errorsReturn: 0x143,
    typeAttribute: { copy: DUP_FN, remove: NULL_DELETE_FN },
    communication: standardCommunication(library),
    datatypes: new Map(Object.entries(STANDARD_DATATYPES) as [PredefinedName, number][]),
  }),
});

/** The standard's own ABI (MPI 5.0, chapter 20), over each MPI whose rules of bounds are known. */
export const STANDARD_ABIS: readonly Abi[] = [OPEN_MPI, MPICH].map(standardOver);
