import type { Elements } from "@stowage/bench";
import { boundsOf } from "@stowage/ir";
import type { Side } from "./side.js";

const RANKS = 2;
const COMPLEX_BYTES = 16;

/**
 * A square matrix of complex numbers of which each of two ranks has half of the rows: its halves before and after the
 * transpose.
 */
export function transposeOf(
  columns: Elements,
  rows: Elements,
  rank: number,
): { readonly out: Side; readonly into: Side; readonly expected: Uint8Array; readonly packedBytes: number } {
  const packedBytes = boundsOf(columns.datatype).sizeBytes;
  const share = Math.sqrt(packedBytes / COMPLEX_BYTES);
  const edge = RANKS * share;
  const first = rank * share;
  const half = (numberAt: (row: number, column: number) => number): Uint8Array => {
    const values = new Float64Array(2 * share * edge);
    for (let row = 0; row < share; row++) {
      for (let column = 0; column < edge; column++) {
        const number = numberAt(first + row, column);
        values.set([number, -number], 2 * (row * edge + column));
      }
    }
    return new Uint8Array(values.buffer);
  };
  const side = ({ name, datatype }: Elements, memory: Uint8Array): Side => ({
    name,
    datatype,
    count: RANKS,
    memory,
    originBytes: 0,
  });
  return {
    packedBytes,
    out: side(
      columns,
      half((row, column) => row * edge + column),
    ),
    into: side(rows, new Uint8Array(share * edge * COMPLEX_BYTES)),
    expected: half((row, column) => column * edge + row),
  };
}
