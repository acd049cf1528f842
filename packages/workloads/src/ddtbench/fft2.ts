import { contiguous, predefined, resized, vector, type Datatype } from "@stowage/ir";
import { application, type Size } from "./application.js";

/** Rows of the square matrix of complex numbers; two processes own half of the rows each. */
const EDGES = [256, 512, 768, 1024, 1536];

const COMPLEX_BYTES = 16;
const complex = (): Datatype => contiguous(2, predefined("MPI_DOUBLE"));

/** Column of `rows` complex numbers in rows of `pitch`, resized so that the next column follows one number later. */
function complexColumn(rows: number, pitch: number): Datatype {
  return resized(0, COMPLEX_BYTES, vector(rows, 1, pitch, complex()));
}

/** What one process sends to one peer in the transpose: a column, all its columns, the peer's share of its rows. */
function sizesOf(edge: number): readonly Size[] {
  const share = edge / 2;
  return [
    { sizeBytes: share * COMPLEX_BYTES, datatype: () => complexColumn(share, edge) },
    { sizeBytes: share * share * COMPLEX_BYTES, datatype: () => contiguous(share, complexColumn(share, edge)) },
    {
      sizeBytes: share * share * COMPLEX_BYTES,
      datatype: () => resized(0, share * COMPLEX_BYTES, vector(share, share, edge, complex())),
    },
  ];
}

export const FFT2 = application(
  "FFT2",
  "transpose of a matrix of complex numbers over two processes",
  EDGES.flatMap(sizesOf),
);
