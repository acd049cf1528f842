import type { DatatypeDocument } from "@stowage/ir";

export type Kind = Exclude<DatatypeDocument, string>["kind"];

/** A constructor in all dialects: its arguments are a document's fields, in the order of the call. */
export interface Constructor {
  readonly kind: Kind;
  /** MPI_Type_... of C and Fortran. */
  readonly call: string;
  /** A method of mpi4py's Datatype; there the child is the receiver, and no list's length is an argument. */
  readonly method: string;
  /** `#list` is the length of a list. */
  readonly fields: readonly string[];
}

const REGULAR = ["count", "blocklength", "stride", "child"];
const LISTED = ["#blocklengths", "blocklengths", "displacements", "child"];
const BLOCKS = ["#displacements", "blocklength", "displacements", "child"];

const constructor = (kind: Kind, call: string, fields: readonly string[]): Constructor => ({
  kind,
  call: `MPI_Type_${call}`,
  method: kind === "dup" ? "Dup" : `Create_${kind}`,
  fields,
});

/** MPI 4.1, section 5.1. */
export const CONSTRUCTORS: readonly Constructor[] = Object.freeze([
  constructor("contiguous", "contiguous", ["count", "child"]),
  constructor("vector", "vector", REGULAR),
  constructor("hvector", "create_hvector", REGULAR),
  constructor("indexed", "indexed", LISTED),
  constructor("hindexed", "create_hindexed", LISTED),
  constructor("indexed_block", "create_indexed_block", BLOCKS),
  constructor("hindexed_block", "create_hindexed_block", BLOCKS),
  constructor("struct", "create_struct", ["#blocklengths", "blocklengths", "displacements", "children"]),
  constructor("subarray", "create_subarray", ["#sizes", "sizes", "subsizes", "starts", "order", "child"]),
  constructor("darray", "create_darray", [
    ...["size", "rank", "#gsizes", "gsizes", "distribs"],
    ...["dargs", "psizes", "order", "child"],
  ]),
  constructor("resized", "create_resized", ["child", "lb", "extent"]),
  constructor("dup", "dup", ["child"]),
]);

/** Named constants that stand for a value of a document. MPI 4.1, sections 5.1.3 and 5.1.4. */
export const CONSTANTS: Readonly<Record<string, string | null>> = Object.freeze({
  MPI_ORDER_C: "C",
  MPI_ORDER_FORTRAN: "F",
  MPI_DISTRIBUTE_BLOCK: "block",
  MPI_DISTRIBUTE_CYCLIC: "cyclic",
  MPI_DISTRIBUTE_NONE: "none",
  MPI_DISTRIBUTE_DFLT_DARG: null,
});

export const CONSTANT_NAMES: ReadonlyMap<string | null, string> = new Map(
  Object.entries(CONSTANTS).map(([name, value]) => [value, name]),
);
