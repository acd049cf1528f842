import {
  parseDatatypeText,
  printDatatypeText,
  contiguous,
  predefined,
  resized,
  struct,
  vector,
  type Datatype,
} from "@stowage/ir";
import { describe, expect, test } from "vitest";
import { C, FORTRAN, MPI4PY } from "../../src/dialects/grammar.js";
import { parseCode } from "../../src/dialects/parse-code.js";
import { printCode } from "../../src/dialects/print-code.js";
import { goldenTexts } from "../golden-texts.js";

const GRAMMARS = { c: C, mpi4py: MPI4PY, fortran: FORTRAN } as const;
const [INT, DOUBLE] = [predefined("MPI_INT"), predefined("MPI_DOUBLE")];
const text = (datatype: Datatype): string => printDatatypeText(datatype);

describe.each(["c", "mpi4py", "fortran"] as const)("%s", (dialect) => {
  test("what is printed of the golden datatypes is read back", () => {
    for (const golden of goldenTexts()) {
      const datatype = parseDatatypeText(golden);
      const code = printCode(datatype, dialect);
      expect(text(parseCode(code, GRAMMARS[dialect])), code).toBe(text(datatype));
    }
  });
});

const PROGRAMS: readonly (readonly [string, keyof typeof GRAMMARS, string, Datatype])[] = [
  [
    "declarations, names, sizeof and a commit in the middle of a program",
    "c",
    `#include <mpi.h>
#define ROWS 4
int main(int argc, char **argv) {
  const int n = 2 * ROWS; /* columns */
  MPI_Datatype column, wide;
  MPI_Init(&argc, &argv);
  MPI_Type_vector(ROWS, 1, n, MPI_DOUBLE, &column);
  MPI_Type_create_resized(column, 0, sizeof(double), &wide);
  MPI_Type_commit(&wide);
  MPI_Send(buffer, n, wide, 1, 0, MPI_COMM_WORLD);
}`,
    resized(0, 8, vector(4, 1, 8, DOUBLE)),
  ],
  [
    "arrays, filled at once and one by one",
    "c",
    `int lengths[2] = {1, 2}; MPI_Aint at[2]; MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}, t;
at[0] = 0; at[1] = 8;
MPI_Type_create_struct(2, lengths, at, types, &t);`,
    struct([1, 2], [0, 8], [INT, DOUBLE]),
  ],
  [
    "chained methods and keywords",
    "mpi4py",
    `from mpi4py import MPI
n = 4  # rows
column = MPI.DOUBLE.Create_vector(n, 1, stride=2 * n).Create_resized(0, 8)
column.Commit()`,
    resized(0, 8, vector(4, 1, 8, DOUBLE)),
  ],
  [
    "any case, continued lines, both forms of lists",
    "fortran",
    `integer, parameter :: n = 2
integer(kind=MPI_ADDRESS_KIND) :: at(2)
at(1) = 0
at(2) = 8_MPI_ADDRESS_KIND
CALL mpi_type_create_struct(n, (/1, 2/), at, & ! displacements
  [MPI_INTEGER, MPI_DOUBLE_PRECISION], t, ierr)
call MPI_TYPE_COMMIT(t, ierr)`,
    struct([1, 2], [0, 8], [INT, DOUBLE]),
  ],
];

test.each(PROGRAMS)("%s", (_, dialect, code, datatype) => {
  expect(text(parseCode(code, GRAMMARS[dialect]))).toBe(text(datatype));
});

test("the type that is committed last is the one, or else the one that is built last", () => {
  const code = "MPI_Type_contiguous(2, MPI_INT, &a); MPI_Type_contiguous(3, a, &b);";
  expect(text(parseCode(code, C))).toBe(text(contiguous(3, contiguous(2, INT))));
  expect(text(parseCode(`${code} MPI_Type_commit(&a);`, C))).toBe(text(contiguous(2, INT)));
});

test.each([
  [
    "c",
    "\nMPI_Type_vector(3, rows, 5, MPI_INT, &t);",
    'line 2: expected an integer or a list of integers, got "rows", which has no literal value here',
  ],
  [
    "c",
    "MPI_Type_vector(3, 2, 5, MPI_INTT, &t);",
    'line 1: expected a predefined datatype or a constant, got "MPI_INTT"',
  ],
  [
    "c",
    "MPI_Type_vector(-3, 2, 5, MPI_INT, &t);",
    "line 1: count: count of vector: expected an integer from 0 to 2^53 - 1, got -3",
  ],
  ["c", "MPI_Type_vectr(3, 2, 5, MPI_INT, &t);", 'line 1: expected a constructor of datatypes, got "MPI_Type_vectr"'],
  ["c", "int main() { return 0; }", "line 1: expected a call of a constructor, got none"],
  ["c", "MPI_Type_vector(3, 2", 'line 1: expected ,, got "the end"'],
  [
    "mpi4py",
    "x = 1\n\nt = MPI.INT.Create_vektor(3)",
    'line 3: expected a constructor of datatypes, got "Create_vektor"',
  ],
  ["mpi4py", "t = MPI.INT.Create_vector(3, 2)", "line 1: expected stride as argument 3 of Create_vector, got none"],
  [
    "fortran",
    "call MPI_Type_contiguous(n, MPI_INTEGER, t, ierr)",
    'line 1: expected an integer or a list of integers, got "n", which has no literal value here',
  ],
] as const)("%s: %j is refused at its line", (dialect, code, message) => {
  expect(() => parseCode(code, GRAMMARS[dialect])).toThrow(message);
});
