import { quoted } from "../checks/quoted.js";
import { DatatypeError } from "../errors.js";

/** One basic element of a predefined datatype: where it lies, and the type that it is in a signature. */
export interface PredefinedEntry {
  /** Where the element begins, from the datatype's address 0. */
  readonly offsetBytes: number;
  readonly lengthBytes: number;
  /** The MPI name that stands for this element in a type signature; synonyms share one. */
  readonly basic: string;
}

/** Extent, alignment and elements of a predefined datatype. Only pair types (MPI_DOUBLE_INT) have two elements. */
export interface PredefinedFacts {
  readonly alignmentBytes: number;
  /** Bytes from one element of the datatype to the next; of a pair type with C's padding. */
  readonly extentBytes: number;
  readonly entries: readonly PredefinedEntry[];
}

/**
 * Bytes of each C type under the System V x86-64 ABI (LP64), where every alignment of a scalar is its size.
 * MPI 4.1, tables 3.2 to 3.4.
 */
const scalars = {
  MPI_CHAR: 1,
  MPI_SIGNED_CHAR: 1,
  MPI_UNSIGNED_CHAR: 1,
  MPI_SHORT: 2,
  MPI_UNSIGNED_SHORT: 2,
  MPI_INT: 4,
  MPI_UNSIGNED: 4,
  MPI_LONG: 8,
  MPI_UNSIGNED_LONG: 8,
  MPI_LONG_LONG_INT: 8,
  MPI_UNSIGNED_LONG_LONG: 8,
  MPI_FLOAT: 4,
  MPI_DOUBLE: 8,
  MPI_LONG_DOUBLE: 16,
  MPI_WCHAR: 4,
  MPI_C_BOOL: 1,
  MPI_INT8_T: 1,
  MPI_INT16_T: 2,
  MPI_INT32_T: 4,
  MPI_INT64_T: 8,
  MPI_UINT8_T: 1,
  MPI_UINT16_T: 2,
  MPI_UINT32_T: 4,
  MPI_UINT64_T: 8,
  MPI_AINT: 8,
  MPI_COUNT: 8,
  MPI_OFFSET: 8,
  MPI_CXX_BOOL: 1,
  MPI_BYTE: 1,
  MPI_PACKED: 1,
} as const;

/** Bytes of one part of each complex type: the type is two parts side by side, aligned as one. */
const complexParts = {
  MPI_C_COMPLEX: 4,
  MPI_C_DOUBLE_COMPLEX: 8,
  MPI_C_LONG_DOUBLE_COMPLEX: 16,
  MPI_CXX_FLOAT_COMPLEX: 4,
  MPI_CXX_DOUBLE_COMPLEX: 8,
  MPI_CXX_LONG_DOUBLE_COMPLEX: 16,
} as const;

/** Other names of one and the same type. MPI 4.1, table 3.2. */
const synonyms = { MPI_LONG_LONG: "MPI_LONG_LONG_INT", MPI_C_FLOAT_COMPLEX: "MPI_C_COMPLEX" } as const;

/** A value and its index, as a C struct { value; int }. MPI 4.1, section 6.9.4. */
const pairs = {
  MPI_FLOAT_INT: "MPI_FLOAT",
  MPI_DOUBLE_INT: "MPI_DOUBLE",
  MPI_LONG_INT: "MPI_LONG",
  MPI_2INT: "MPI_INT",
  MPI_SHORT_INT: "MPI_SHORT",
  MPI_LONG_DOUBLE_INT: "MPI_LONG_DOUBLE",
} as const;

/** The MPI name of a predefined datatype of the C binding (MPI 4.1, section 3.2.2). */
export type PredefinedName =
  | keyof typeof scalars
  | keyof typeof complexParts
  | keyof typeof synonyms
  | keyof typeof pairs;

const single = (basic: string, lengthBytes: number, alignmentBytes: number): PredefinedFacts => ({
  alignmentBytes,
  extentBytes: lengthBytes,
  entries: [{ offsetBytes: 0, lengthBytes, basic }],
});

const INT_BYTES = scalars.MPI_INT;

function pair(value: keyof typeof scalars): PredefinedFacts {
  const valueBytes = scalars[value];
  const alignmentBytes = Math.max(valueBytes, INT_BYTES);
  const indexOffsetBytes = Math.ceil(valueBytes / INT_BYTES) * INT_BYTES;
  return {
    alignmentBytes,
    extentBytes: Math.ceil((indexOffsetBytes + INT_BYTES) / alignmentBytes) * alignmentBytes,
    entries: [
      { offsetBytes: 0, lengthBytes: valueBytes, basic: value },
      { offsetBytes: indexOffsetBytes, lengthBytes: INT_BYTES, basic: "MPI_INT" },
    ],
  };
}

function buildTable(): ReadonlyMap<string, PredefinedFacts> {
  const table = new Map<string, PredefinedFacts>();
  for (const [name, bytes] of Object.entries(scalars)) table.set(name, single(name, bytes, bytes));
  for (const [name, bytes] of Object.entries(complexParts)) table.set(name, single(name, 2 * bytes, bytes));
  for (const [name, value] of Object.entries(pairs)) table.set(name, pair(value));
  for (const [name, other] of Object.entries(synonyms)) table.set(name, table.get(other) as PredefinedFacts);
  return table;
}

const table = buildTable();

/** The names of all predefined datatypes. */
export const PREDEFINED_NAMES: readonly PredefinedName[] = Object.freeze([...table.keys()] as PredefinedName[]);

/** Whether a name is that of a predefined datatype. */
export function isPredefinedName(name: string): name is PredefinedName {
  return table.has(name);
}

/**
 * Extent, alignment and elements of a predefined datatype, as C has them on x86-64 Linux (System V ABI, LP64).
 * @throws DatatypeError where the name is none of PREDEFINED_NAMES.
 */
export function predefinedFacts(name: PredefinedName): PredefinedFacts {
  const facts = table.get(name);
  if (facts !== undefined) return facts;
  throw new DatatypeError({ subject: "predefined datatype", expected: "the MPI name of a C type", got: quoted(name) });
}
