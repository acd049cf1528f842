import type { IntegerTable } from "@stowage/ir";

/**
 * A primitive of the DAME language (Prabhu and Gropp 2017, Figure 4). Displacements and strides are bytes, relative to
 * where the primitive itself stands; sizeBytes and extentBytes are those of the inner type, sizeBytes being packed
 * bytes.
 */
export type Primitive = Contig | Vector | BlockIndex | Index | Struct | ContigFinal | Control | ReturnTo;

/** `count` copies of the inner type, an extent apart. */
export type Contig = {
  readonly kind: "CONTIG";
  /** How many copies. */
  readonly count: number;
  /** Packed bytes of one copy. */
  readonly sizeBytes: number;
  /** Bytes from one copy to the next. */
  readonly extentBytes: number;
};

/**
 * `count` blocks of `blocklength` copies, a stride apart. The blocks of the FINAL form are runs of bytes; the form with
 * 1 has blocks of one copy.
 */
export type Vector = {
  readonly kind: "VECTOR" | "VECTOR1" | "VECTORFINAL";
  /** How many blocks. */
  readonly count: number;
  /** How many copies a block has. */
  readonly blocklength: number;
  /** Bytes from one block to the next. */
  readonly strideBytes: number;
  /** Packed bytes of one copy. */
  readonly sizeBytes: number;
  /** Bytes from one copy to the next. */
  readonly extentBytes: number;
};

/** `count` blocks of `blocklength` copies, each at a displacement of its own. */
export type BlockIndex = {
  readonly kind: "BLOCKINDEX" | "BLOCKINDEX1" | "BLOCKINDEXFINAL";
  /** How many blocks. */
  readonly count: number;
  /** How many copies a block has. */
  readonly blocklength: number;
  /** Where each block begins; `count` entries. */
  readonly displacementsBytes: IntegerTable;
  /** Packed bytes of one copy. */
  readonly sizeBytes: number;
  /** Bytes from one copy to the next. */
  readonly extentBytes: number;
};

/** `count` blocks, each of a length and at a displacement of its own. */
export type Index = {
  readonly kind: "INDEX" | "INDEXFINAL";
  /** How many blocks. */
  readonly count: number;
  /** How many copies each block has; `count` entries. */
  readonly blocklengths: IntegerTable;
  /** Where each block begins; `count` entries. */
  readonly displacementsBytes: IntegerTable;
  /** Packed bytes of one copy. */
  readonly sizeBytes: number;
  /** Bytes from one copy to the next. */
  readonly extentBytes: number;
};

/**
 * `count` members, each of which runs the subprogram that begins at the RETURNTO of that index. Members of one inner
 * type may share a subprogram, also one that stands under another STRUCT, if it ends before the subprogram that this
 * STRUCT is in: so a layout that is a graph needs no more primitives than it has nodes.
 */
export type Struct = {
  readonly kind: "STRUCT";
  /** How many members. */
  readonly count: number;
  /** How many copies each member has; `count` entries. */
  readonly blocklengths: IntegerTable;
  /** Where each member begins; `count` entries. */
  readonly displacementsBytes: IntegerTable;
  /** Packed bytes of one copy of each member; `count` entries, or one for all. */
  readonly sizesBytes: IntegerTable;
  /** Bytes from one copy to the next, of each member; `count` entries, or one for all. */
  readonly extentsBytes: IntegerTable;
  /** The index of the RETURNTO that begins each member's subprogram. */
  readonly subprograms: IntegerTable;
};

/**
 * A run of bytes: one block of the FINAL primitive before it (of an INDEXFINAL: one inner type), or a run of its own.
 */
export type ContigFinal = { readonly kind: "CONTIGFINAL"; readonly lengthBytes: number };

/** EXIT begins a program, BOTTOM ends it or a subprogram, CONTIGCHILD counts the copies that make a block. */
export type Control = { readonly kind: "EXIT" | "BOTTOM" | "CONTIGCHILD" };

/** The beginning of a subprogram. `struct` is the index of the STRUCT under which it stands. */
export type ReturnTo = { readonly kind: "RETURNTO"; readonly struct: number };

/** Primitives whose blocks are runs of bytes: a CONTIGFINAL follows them. */
export const isFinal = (kind: Primitive["kind"]): boolean =>
  kind === "VECTORFINAL" || kind === "BLOCKINDEXFINAL" || kind === "INDEXFINAL";

/** Primitives whose blocks hold several copies: a CONTIGCHILD follows them. */
export const hasCopies = (kind: Primitive["kind"]): boolean =>
  kind === "VECTOR" || kind === "BLOCKINDEX" || kind === "INDEX";
