import type { IntegerTable } from "@stowage/ir";

/**
 * The primitives of the DAME language (paper, Figure 4). Displacements and strides are bytes, relative to where the
 * primitive itself stands; sizeBytes and extentBytes are those of the inner type, sizeBytes being packed bytes.
 */
export type Primitive = Contig | Vector | BlockIndex | Index | Struct | ContigFinal | Control | ReturnTo;

/** `count` copies of the inner type, an extent apart. */
export type Contig = {
  readonly kind: "CONTIG";
  readonly count: number;
  readonly sizeBytes: number;
  readonly extentBytes: number;
};

/** `count` blocks of `blocklength` copies, a stride apart. The FINAL form's blocks are runs of bytes. */
export type Vector = {
  readonly kind: "VECTOR" | "VECTOR1" | "VECTORFINAL";
  readonly count: number;
  readonly blocklength: number;
  readonly strideBytes: number;
  readonly sizeBytes: number;
  readonly extentBytes: number;
};

/** `count` blocks of `blocklength` copies, each at a displacement of its own. */
export type BlockIndex = {
  readonly kind: "BLOCKINDEX" | "BLOCKINDEX1" | "BLOCKINDEXFINAL";
  readonly count: number;
  readonly blocklength: number;
  readonly displacementsBytes: IntegerTable;
  readonly sizeBytes: number;
  readonly extentBytes: number;
};

/** `count` blocks, each of a length and at a displacement of its own. */
export type Index = {
  readonly kind: "INDEX" | "INDEXFINAL";
  readonly count: number;
  readonly blocklengths: IntegerTable;
  readonly displacementsBytes: IntegerTable;
  readonly sizeBytes: number;
  readonly extentBytes: number;
};

/**
 * `count` members, each running the subprogram that begins at the RETURNTO of that index. Sizes and extents are one a
 * member, or one for all. Members of one inner type may share a subprogram, also one that stands under another STRUCT,
 * if it ends before the subprogram that this STRUCT is in: so a layout that is a graph needs no more primitives than
 * it has nodes.
 */
export type Struct = {
  readonly kind: "STRUCT";
  readonly count: number;
  readonly blocklengths: IntegerTable;
  readonly displacementsBytes: IntegerTable;
  readonly sizesBytes: IntegerTable;
  readonly extentsBytes: IntegerTable;
  readonly subprograms: IntegerTable;
};

/**
 * The bytes of one block of the FINAL primitive before it (of an INDEXFINAL: of one inner type), or a run of its own.
 */
export type ContigFinal = { readonly kind: "CONTIGFINAL"; readonly lengthBytes: number };

/** EXIT begins a program, BOTTOM ends it or a subprogram, CONTIGCHILD counts the copies that make a block. */
export type Control = { readonly kind: "EXIT" | "BOTTOM" | "CONTIGCHILD" };

/** Begins a subprogram; names, by index, the STRUCT under which it stands. */
export type ReturnTo = { readonly kind: "RETURNTO"; readonly struct: number };

/** Primitives whose blocks are runs of bytes: a CONTIGFINAL follows them. */
export const isFinal = (kind: Primitive["kind"]): boolean =>
  kind === "VECTORFINAL" || kind === "BLOCKINDEXFINAL" || kind === "INDEXFINAL";

/** Primitives whose blocks hold several copies: a CONTIGCHILD follows them. */
export const hasCopies = (kind: Primitive["kind"]): boolean =>
  kind === "VECTOR" || kind === "BLOCKINDEX" || kind === "INDEX";
