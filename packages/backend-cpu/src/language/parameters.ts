import type { IntegerTable } from "@stowage/ir";
import type { Primitive } from "./primitive.js";

/** What a parameter is in the text; `line` and `lines` are primitives named by their line, indices in the program. */
export type ParameterForm = "integer" | "table" | "line" | "lines";
export type ParameterValue = number | IntegerTable;

export interface Parameter {
  readonly name: string;
  readonly form: ParameterForm;
  readonly optional?: true;
}

const integer = (name: string): Parameter => ({ name, form: "integer" });
const table = (name: string): Parameter => ({ name, form: "table" });

const COUNT = integer("count");
const BLOCKLENGTH = integer("blocklength");
const DISPLACEMENTS = table("displacementsBytes");
const INNER = [integer("sizeBytes"), integer("extentBytes")];
const VECTOR = [COUNT, BLOCKLENGTH, integer("strideBytes"), ...INNER];
const BLOCKINDEX = [COUNT, BLOCKLENGTH, DISPLACEMENTS, ...INNER];
const INDEX = [COUNT, table("blocklengths"), DISPLACEMENTS, ...INNER];

/** The parameters of each primitive, in the order of the text (paper, Figures 1, 6 and 8). */
export const PARAMETERS: Readonly<Record<Primitive["kind"], readonly Parameter[]>> = {
  EXIT: [],
  BOTTOM: [],
  CONTIGCHILD: [],
  CONTIG: [COUNT, ...INNER],
  CONTIGFINAL: [integer("lengthBytes")],
  VECTOR,
  VECTOR1: VECTOR,
  VECTORFINAL: VECTOR,
  BLOCKINDEX,
  BLOCKINDEX1: BLOCKINDEX,
  BLOCKINDEXFINAL: BLOCKINDEX,
  INDEX,
  INDEXFINAL: INDEX,
  STRUCT: [
    COUNT,
    table("blocklengths"),
    DISPLACEMENTS,
    table("sizesBytes"),
    table("extentsBytes"),
    { name: "subprograms", form: "lines", optional: true },
  ],
  RETURNTO: [{ name: "struct", form: "line" }],
};

/** Figures 5, 6 and 8 write BLOCKINDEXED and INDEXED where Figure 4 has BLOCKINDEX and INDEX; both are read. */
const SPELLINGS: Readonly<Record<string, Primitive["kind"]>> = {
  BLOCKINDEXED: "BLOCKINDEX",
  BLOCKINDEXED1: "BLOCKINDEX1",
  BLOCKINDEXEDFINAL: "BLOCKINDEXFINAL",
  INDEXED: "INDEX",
  INDEXEDFINAL: "INDEXFINAL",
};

const isKind = (word: string): word is Primitive["kind"] => Object.hasOwn(PARAMETERS, word);

/** The primitive that a word of the text names, or undefined. */
export function kindOf(word: string): Primitive["kind"] | undefined {
  if (isKind(word)) return word;
  return Object.hasOwn(SPELLINGS, word) ? SPELLINGS[word] : undefined;
}
