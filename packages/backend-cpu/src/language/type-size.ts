import type { IntegerTable } from "@stowage/ir";
import type { Primitive } from "./primitive.js";
import type { DameProgram } from "./program.js";

/** Packed bytes of the type that begins with this primitive, from its own parameters; NaN for a control primitive. */
export function typeSizeBytes(primitive: Primitive): number {
  switch (primitive.kind) {
    case "CONTIGFINAL":
      return primitive.lengthBytes;
    case "CONTIG":
      return primitive.count * primitive.sizeBytes;
    case "VECTOR":
    case "VECTOR1":
    case "VECTORFINAL":
    case "BLOCKINDEX":
    case "BLOCKINDEX1":
    case "BLOCKINDEXFINAL":
      return primitive.count * primitive.blocklength * primitive.sizeBytes;
    case "INDEX":
    case "INDEXFINAL":
      return sumOf(primitive.blocklengths, () => primitive.sizeBytes);
    case "STRUCT":
      return sumOf(primitive.blocklengths, (member) => entryOf(primitive.sizesBytes, member));
    case "EXIT":
    case "BOTTOM":
    case "CONTIGCHILD":
    case "RETURNTO":
      return NaN;
  }
}

function sumOf(blocklengths: IntegerTable, sizeBytesAt: (i: number) => number): number {
  let sum = 0;
  for (let i = 0; i < blocklengths.length; i++) sum += (blocklengths[i] as number) * sizeBytesAt(i);
  return sum;
}

/** Index of the first primitive of the inner type of the primitive at `index`, past its CONTIGCHILD. */
export function innerIndex({ primitives }: DameProgram, index: number): number {
  return primitives[index + 1]?.kind === "CONTIGCHILD" ? index + 2 : index + 1;
}

/** A member's entry in a STRUCT's table of one a member, or one for all. */
export const entryOf = (table: IntegerTable, member: number): number =>
  table[table.length === 1 ? 0 : member] as number;
