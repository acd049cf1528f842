import { quoted } from "@stowage/ir";
import { BridgeError } from "../errors.js";
import { MOST_DIMENSIONS } from "./halo-agreement.js";

/**
 * The numbers of processes along each dimension of a grid of so many processes, as square as can be, the longest
 * dimension first (MPI_Dims_create, MPI 4.1, section 8.5.2): processGrid(12, 2) is [4, 3]. Throws a BridgeError where
 * there are no processes, or no dimensions, or more of these than a halo exchange takes.
 */
export function processGrid(processes: number, dimensions: number): readonly number[] {
  requireBetween("processes", processes, Number.MAX_SAFE_INTEGER);
  requireBetween("dimensions", dimensions, MOST_DIMENSIONS);
  const grid = new Array<number>(dimensions).fill(1);
  for (const factor of factorsOf(processes).reverse()) {
    const least = grid.indexOf(Math.min(...grid));
    grid[least] = (grid[least] as number) * factor;
  }
  return grid.sort((a, b) => b - a);
}

/** Prime factors, ascending. */
function factorsOf(value: number): number[] {
  const factors: number[] = [];
  let left = value;
  for (let prime = 2; prime * prime <= left; prime++) {
    for (; left % prime === 0; left /= prime) factors.push(prime);
  }
  return left > 1 ? [...factors, left] : factors;
}

function requireBetween(what: string, value: number, most: number): void {
  if (!Number.isSafeInteger(value) || value < 1 || value > most)
    throw new BridgeError(`process grid: ${what}`, `an integer from 1 to ${most}`, quoted(value));
}
