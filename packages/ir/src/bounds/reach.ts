import type { IntegerTable } from "../integer-table.js";

/** The copies of a child inside a type: how many, and the displacements of the lowest and the highest of them. */
export interface Reach {
  readonly copies: number;
  readonly lowestBytes: number;
  readonly highestBytes: number;
}

export const NO_REACH: Reach = Object.freeze({ copies: 0, lowestBytes: 0, highestBytes: 0 });

/** The reach of `count` blocks, `strideBytes` apart, of `blocklength` copies `extentBytes` apart. */
export function regularReach(count: number, strideBytes: number, blocklength: number, extentBytes: number): Reach {
  if (count === 0 || blocklength === 0) return NO_REACH;
  const lastBlockBytes = (count - 1) * strideBytes;
  const lastCopyBytes = (blocklength - 1) * extentBytes;
  return {
    copies: count * blocklength,
    lowestBytes: Math.min(0, lastBlockBytes) + Math.min(0, lastCopyBytes),
    highestBytes: Math.max(0, lastBlockBytes) + Math.max(0, lastCopyBytes),
  };
}

/** The reach of blocks of one length at displacements that count `unitBytes`. O(n). */
export function uniformListReach(
  displacements: IntegerTable,
  unitBytes: number,
  blocklength: number,
  extentBytes: number,
): Reach {
  if (displacements.length === 0 || blocklength === 0) return NO_REACH;
  let lowest = displacements[0] as number;
  let highest = lowest;
  for (let i = 1; i < displacements.length; i++) {
    const displacement = displacements[i] as number;
    if (displacement < lowest) lowest = displacement;
    else if (displacement > highest) highest = displacement;
  }
  const block = regularReach(1, 0, blocklength, extentBytes);
  return {
    copies: displacements.length * blocklength,
    lowestBytes: Math.min(lowest * unitBytes, highest * unitBytes) + block.lowestBytes,
    highestBytes: Math.max(lowest * unitBytes, highest * unitBytes) + block.highestBytes,
  };
}

/** The reach of blocks of lengths of their own. Empty blocks reach nowhere. O(n). */
export function listReach(
  displacements: IntegerTable,
  unitBytes: number,
  blocklengths: IntegerTable,
  extentBytes: number,
): Reach {
  let copies = 0;
  let lowestBytes = Infinity;
  let highestBytes = -Infinity;
  for (let i = 0; i < displacements.length; i++) {
    const blocklength = blocklengths[i] as number;
    if (blocklength === 0) continue;
    copies += blocklength;
    const first = (displacements[i] as number) * unitBytes;
    const last = first + (blocklength - 1) * extentBytes;
    if (Math.min(first, last) < lowestBytes) lowestBytes = Math.min(first, last);
    if (Math.max(first, last) > highestBytes) highestBytes = Math.max(first, last);
  }
  return copies === 0 ? NO_REACH : { copies, lowestBytes, highestBytes };
}
