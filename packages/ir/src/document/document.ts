import type { Distribution } from "../datatype/distribution.js";
import type { Order } from "../datatype/order.js";
import type { PredefinedName } from "../datatype/predefined-table.js";

/**
 * A datatype as JSON: a predefined type is its MPI name, any other an object whose kind is its constructor.
 * Displacements and strides count child extents, or bytes where the kind starts with h and in struct.
 */
export type DatatypeDocument =
  | PredefinedName
  | { kind: "contiguous"; count: number; child: DatatypeDocument }
  | { kind: "vector" | "hvector"; count: number; blocklength: number; stride: number; child: DatatypeDocument }
  | { kind: "indexed" | "hindexed"; blocklengths: number[]; displacements: number[]; child: DatatypeDocument }
  | { kind: "indexed_block" | "hindexed_block"; blocklength: number; displacements: number[]; child: DatatypeDocument }
  | { kind: "struct"; blocklengths: number[]; displacements: number[]; children: DatatypeDocument[] }
  | {
      kind: "subarray";
      sizes: number[];
      subsizes: number[];
      starts: number[];
      order: Order;
      child: DatatypeDocument;
    }
  | {
      kind: "darray";
      size: number;
      rank: number;
      gsizes: number[];
      distribs: Distribution[];
      dargs: (number | null)[];
      psizes: number[];
      order: Order;
      child: DatatypeDocument;
    }
  | { kind: "resized"; lb: number; extent: number; child: DatatypeDocument }
  | { kind: "dup"; child: DatatypeDocument };

export type DocumentKind = Exclude<DatatypeDocument, string>["kind"];

/** The fields of each kind of document, in the order that they are printed. */
export const FIELDS: Readonly<Record<DocumentKind, readonly string[]>> = {
  contiguous: ["count", "child"],
  vector: ["count", "blocklength", "stride", "child"],
  hvector: ["count", "blocklength", "stride", "child"],
  indexed: ["blocklengths", "displacements", "child"],
  hindexed: ["blocklengths", "displacements", "child"],
  indexed_block: ["blocklength", "displacements", "child"],
  hindexed_block: ["blocklength", "displacements", "child"],
  struct: ["blocklengths", "displacements", "children"],
  subarray: ["sizes", "subsizes", "starts", "order", "child"],
  darray: ["size", "rank", "gsizes", "distribs", "dargs", "psizes", "order", "child"],
  resized: ["lb", "extent", "child"],
  dup: ["child"],
};

export const DOCUMENT_KINDS: readonly string[] = Object.freeze(Object.keys(FIELDS));

export function isDocumentKind(kind: string): kind is DocumentKind {
  return Object.hasOwn(FIELDS, kind);
}
