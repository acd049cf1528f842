import type { Datatype } from "../datatype/datatype.js";

/** The constructor that made a datatype, by its MPI name. MPI 4.1, section 5.1.13, table 5.1. */
export type Combiner =
  | "MPI_COMBINER_NAMED"
  | "MPI_COMBINER_CONTIGUOUS"
  | "MPI_COMBINER_VECTOR"
  | "MPI_COMBINER_HVECTOR"
  | "MPI_COMBINER_INDEXED"
  | "MPI_COMBINER_HINDEXED"
  | "MPI_COMBINER_INDEXED_BLOCK"
  | "MPI_COMBINER_HINDEXED_BLOCK"
  | "MPI_COMBINER_STRUCT"
  | "MPI_COMBINER_SUBARRAY"
  | "MPI_COMBINER_DARRAY"
  | "MPI_COMBINER_RESIZED"
  | "MPI_COMBINER_DUP";

export const COMBINERS: Readonly<Record<Datatype["kind"], Combiner>> = {
  predefined: "MPI_COMBINER_NAMED",
  contiguous: "MPI_COMBINER_CONTIGUOUS",
  vector: "MPI_COMBINER_VECTOR",
  hvector: "MPI_COMBINER_HVECTOR",
  indexed: "MPI_COMBINER_INDEXED",
  hindexed: "MPI_COMBINER_HINDEXED",
  indexed_block: "MPI_COMBINER_INDEXED_BLOCK",
  hindexed_block: "MPI_COMBINER_HINDEXED_BLOCK",
  struct: "MPI_COMBINER_STRUCT",
  subarray: "MPI_COMBINER_SUBARRAY",
  darray: "MPI_COMBINER_DARRAY",
  resized: "MPI_COMBINER_RESIZED",
  dup: "MPI_COMBINER_DUP",
};
