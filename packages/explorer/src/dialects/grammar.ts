/** How a dialect writes what all of them have. */
export interface Grammar {
  readonly comment: RegExp;
  /** Index of a list's first entry. */
  readonly base: 0 | 1;
  readonly foldsCase: boolean;
  /** Whether a line's end ends a statement, where no bracket is open. */
  readonly byLines: boolean;
  /** Whether datatypes have methods: t.Create_vector(...). */
  readonly hasMethods: boolean;
  /** Names of predefined types that are not C's. */
  readonly names: Readonly<Record<string, string>>;
}

export const C: Grammar = {
  comment: /\/\/[^\n]*|\/\*[\s\S]*?\*\//y,
  base: 0,
  foldsCase: false,
  byLines: false,
  hasMethods: false,
  names: {},
};

export const MPI4PY: Grammar = {
  comment: /#[^\n]*/y,
  base: 0,
  foldsCase: false,
  byLines: true,
  hasMethods: true,
  names: { MPI_TWOINT: "MPI_2INT", MPI_ORDER_F: "MPI_ORDER_FORTRAN" },
};

/** The C type of the same bytes, with the compilers' usual sizes. MPI 4.1, table 3.1. */
export const FORTRAN: Grammar = {
  comment: /![^\n]*|&[ \t]*(?:![^\n]*)?\n/y,
  base: 1,
  foldsCase: true,
  byLines: true,
  hasMethods: false,
  names: {
    MPI_INTEGER: "MPI_INT",
    MPI_REAL: "MPI_FLOAT",
    MPI_DOUBLE_PRECISION: "MPI_DOUBLE",
    MPI_COMPLEX: "MPI_C_FLOAT_COMPLEX",
    MPI_DOUBLE_COMPLEX: "MPI_C_DOUBLE_COMPLEX",
    MPI_LOGICAL: "MPI_INT",
    MPI_CHARACTER: "MPI_CHAR",
    MPI_INTEGER1: "MPI_INT8_T",
    MPI_INTEGER2: "MPI_INT16_T",
    MPI_INTEGER4: "MPI_INT32_T",
    MPI_INTEGER8: "MPI_INT64_T",
    MPI_REAL4: "MPI_FLOAT",
    MPI_REAL8: "MPI_DOUBLE",
  },
};
