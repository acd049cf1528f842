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
 * Why the driver refuses a copy, as a CUresult; undefined where it takes it. Pitches below the width and planes of fewer rows
 * than the box has are refused by structures of three dimensions always, and of two where there is more than one row.
 */
export function refusalOf({ source, target, widthBytes, rows, planes }: StructuredCopy, space: AddressSpace) {
  for (const { address, pitchBytes, planeRows } of [source, target]) {
    if (pitchBytes > MOST_PITCH_BYTES || (rows * planes > 1 && pitchBytes < widthBytes)) return results.INVALID_VALUE;
    if (planes > 1 && planeRows < rows) return results.INVALID_VALUE;
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

export function decode2D(words: BigUint64Array): StructuredCopy {
  const side = (first: number): Side => ({
    address: start(words, first + 2) + word(words, first) + word(words, first + 1) * word(words, first + 6),
    pitchBytes: word(words, first + 6),
    planeRows: 0,
  });
  return { source: side(0), target: side(7), widthBytes: word(words, 14), rows: word(words, 15), planes: 1 };
}

export function decode3D(words: BigUint64Array): StructuredCopy {
  const side = (first: number): Side => {
    const [x, y, z] = [word(words, first), word(words, first + 1), word(words, first + 2)];
    const [pitchBytes, planeRows] = [word(words, first + 9), word(words, first + 10)];
    return { address: start(words, first + 4) + x + (y + z * planeRows) * pitchBytes, pitchBytes, planeRows };
  };
  return {
    source: side(0),
    target: side(11),
    widthBytes: word(words, 22),
    rows: word(words, 23),
    planes: word(words, 24),
  };
}
