import { BridgeError } from "../errors.js";
import { CARRIAGES, type HaloCarriage } from "./halo-options.js";

/** What a rank says of its part before anything is sent; undefined where it could not be read. */
export interface HaloFacts {
  readonly sizes: readonly number[];
  readonly radius: readonly number[];
  readonly periodic: readonly boolean[];
  readonly grid: readonly number[];
  readonly elementBytes: number;
  readonly exchange: HaloCarriage;
}

export const MOST_DIMENSIONS = 3;
/** Whether it could be read, dimensions, bytes of an element, what carries it. */
const SINGLE = 4;
/** And then four lists. */
export const FACT_NUMBERS = SINGLE + 4 * MOST_DIMENSIONS;

/** The facts as numbers; all zero where there are none. */
export function factNumbers(facts: HaloFacts | undefined): Float64Array {
  const numbers = new Float64Array(FACT_NUMBERS);
  if (facts === undefined) return numbers;
  const { sizes, radius, periodic, grid, elementBytes, exchange } = facts;
  numbers.set([1, sizes.length, elementBytes, CARRIAGES.indexOf(exchange)]);
  [sizes, radius, periodic.map(Number), grid].forEach((list, i) => numbers.set(list, SINGLE + i * MOST_DIMENSIONS));
  return numbers;
}

/** Points of a rank's array along each dimension, as it told them. */
export const sizesOf = (all: Float64Array, rank: number): readonly number[] => {
  const own = all.subarray(rank * FACT_NUMBERS, (rank + 1) * FACT_NUMBERS);
  return [...own.subarray(SINGLE, SINGLE + (own[1] as number))];
};

/** Throws the same BridgeError on every rank where one has no facts, or two of them do not fit each other. */
export function requireAgreement(all: Float64Array, ranks: number): void {
  const factsOf = (rank: number): Float64Array => all.subarray(rank * FACT_NUMBERS, (rank + 1) * FACT_NUMBERS);
  for (let rank = 0; rank < ranks; rank++) {
    if (factsOf(rank)[0] !== 1)
      throw new BridgeError("halo exchange", "options that every rank can use", `none of rank ${rank}`);
    requireCommon(factsOf(0), factsOf(rank), rank);
  }
  const [, dimensions = 0] = factsOf(0);
  const grid = Array.from(factsOf(0).subarray(SINGLE + 3 * MOST_DIMENSIONS, SINGLE + 3 * MOST_DIMENSIONS + dimensions));
  for (let rank = 0; rank < ranks; rank++) requireEqualFaces(factsOf, grid, rank);
}

const joined = (numbers: Float64Array): string => numbers.join(" x ");
const carriage = ([number]: Float64Array): string => CARRIAGES[number as number] as string;
/** What all ranks must have alike: from which number on, how many, and as which text. */
const COMMON = [
  ["dimensions", 1, 1, joined],
  ["bytes of an element", 2, 1, joined],
  ["exchange", 3, 1, carriage],
  ["radius", SINGLE + MOST_DIMENSIONS, MOST_DIMENSIONS, joined],
  ["periodic dimensions", SINGLE + 2 * MOST_DIMENSIONS, MOST_DIMENSIONS, joined],
  ["ranks along each dimension", SINGLE + 3 * MOST_DIMENSIONS, MOST_DIMENSIONS, joined],
] as const;

function requireCommon(first: Float64Array, other: Float64Array, rank: number): void {
  for (const [what, at, length, text] of COMMON) {
    const [expected, got] = [first, other].map((facts) => text(facts.subarray(at, at + length)));
    if (expected !== got)
      throw new BridgeError(
        `halo exchange: ${what}`,
        `${expected} on every rank, as on rank 0`,
        `${got} on rank ${rank}`,
      );
  }
}

/** The ranks of a plane of the grid share the points across it. */
function requireEqualFaces(factsOf: (rank: number) => Float64Array, grid: readonly number[], rank: number): void {
  const place = coordsOf(rank, grid);
  for (let k = 0; k < grid.length; k++) {
    const leader = rankAt(
      place.map((at, i) => (i === k ? at : 0)),
      grid,
    );
    const [expected, got] = [leader, rank].map((each) => factsOf(each)[SINGLE + k] as number);
    if (expected !== got)
      throw new BridgeError(
        `halo exchange: points along dimension ${k}`,
        `${expected} on rank ${rank}, as on rank ${leader} beside it`,
        String(got),
      );
  }
}

/** In C's order: the last coordinate changes first. */
export function coordsOf(rank: number, grid: readonly number[]): number[] {
  const coords = new Array<number>(grid.length);
  let left = rank;
  for (let k = grid.length - 1; k >= 0; k--) {
    coords[k] = left % (grid[k] as number);
    left = Math.floor(left / (grid[k] as number));
  }
  return coords;
}

export const rankAt = (coords: readonly number[], grid: readonly number[]): number =>
  coords.reduce((rank, at, k) => rank * (grid[k] as number) + at, 0);
