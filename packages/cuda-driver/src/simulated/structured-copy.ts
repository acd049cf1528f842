import * as results from "../results.js";
import type { AddressSpace } from "./space.js";

/** One side of a 2D or 3D copy, as the driver reads it from CUDA_MEMCPY2D and CUDA_MEMCPY3D. */
interface Side {
  readonly address: number;
  readonly pitchBytes: number;
  /** Rows from one plane to the next. */
  readonly planeRows: number;
}

export interface StructuredCopy {
  readonly source: Side;
  readonly target: Side;
  readonly widthBytes: number;
  readonly rows: number;
  readonly planes: number;
}

const HOST = 1n;
const MOST_PITCH_BYTES = 2 ** 31 - 1;

/**
 * Why the driver refuses a copy, as a CUresult; undefined where it takes it: pitches below the width and planes of
 * fewer rows than the box are refused, even where there is but one row or plane (results/h200/copy-answers.json).
 */
export function refusalOf({ source, target, widthBytes, rows, planes }: StructuredCopy, space: AddressSpace) {
  for (const { address, pitchBytes, planeRows } of [source, target]) {
    if (pitchBytes < widthBytes || planeRows < rows) return results.INVALID_VALUE;
    if (pitchBytes > MOST_PITCH_BYTES && rows * planes > 1) return results.INVALID_VALUE;
    const last = address + ((planes - 1) * planeRows + rows - 1) * pitchBytes;
    if (!space.holds(address, 1) || !space.holds(last, widthBytes)) return results.INVALID_VALUE;
  }
  return undefined;
}

export function runStructured({ source, target, widthBytes, rows, planes }: StructuredCopy, space: AddressSpace): void {
  for (let plane = 0; plane < planes; plane++) {
    for (let row = 0; row < rows; row++) {
      const at = ({ address, pitchBytes, planeRows }: Side): number => address + (plane * planeRows + row) * pitchBytes;
      space.copy(at(target), at(source), widthBytes);
    }
  }
}

const word = (words: BigUint64Array, i: number): number => Number(words[i]);

/** The address after x, y (and z), by memory type. */
function start(words: BigUint64Array, type: number): number {
  return words[type] === HOST ? word(words, type + 1) : word(words, type + 2);
}

/** A pitch or a number of rows of 0 stands for the box's own. */
const orOwn = (value: number, own: number): number => (value === 0 ? own : value);

export function decode2D(words: BigUint64Array): StructuredCopy {
  const [widthBytes, rows] = [word(words, 14), word(words, 15)];
  const side = (first: number): Side => {
    const pitchBytes = orOwn(word(words, first + 6), widthBytes);
    const origin = word(words, first) + word(words, first + 1) * pitchBytes;
    return { address: start(words, first + 2) + origin, pitchBytes, planeRows: rows };
  };
  return { source: side(0), target: side(7), widthBytes, rows, planes: 1 };
}

export function decode3D(words: BigUint64Array): StructuredCopy {
  const [widthBytes, rows, planes] = [word(words, 22), word(words, 23), word(words, 24)];
  const side = (first: number): Side => {
    const [x, y, z] = [word(words, first), word(words, first + 1), word(words, first + 2)];
    const pitchBytes = orOwn(word(words, first + 9), widthBytes);
    const planeRows = orOwn(word(words, first + 10), rows);
    return { address: start(words, first + 4) + x + (y + z * planeRows) * pitchBytes, pitchBytes, planeRows };
  };
  return { source: side(0), target: side(11), widthBytes, rows, planes };
}

/** CUDA_MEMCPY3D_BATCH_OP of two pointers: type, address, row, rows of a plane, hint for each side; the box. */
export function decodeBatch3D(words: BigUint64Array): StructuredCopy {
  const [widthBytes, rows, planes] = [word(words, 10), word(words, 11), word(words, 12)];
  const side = (first: number): Side => ({
    address: word(words, first + 1),
    pitchBytes: orOwn(word(words, first + 2), widthBytes),
    planeRows: orOwn(word(words, first + 3), rows),
  });
  return { source: side(0), target: side(5), widthBytes, rows, planes };
}
