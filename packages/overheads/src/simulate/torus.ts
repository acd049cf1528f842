/** Ranks in a torus of three dimensions, and the block of a global grid that each holds. */
export interface Torus {
  readonly sizes: readonly [number, number, number];
  /** Points of a block in each dimension. */
  readonly block: readonly [number, number, number];
}

export const DIRECTIONS = 6;

/** Factors as equal as can be, the largest first, as MPI_Dims_create has them. */
export function torusOf(ranks: number, gridPoints: number): Torus {
  let best: [number, number, number] = [ranks, 1, 1];
  for (let z = 1; z * z * z <= ranks; z++) {
    if (ranks % z !== 0) continue;
    for (let y = z; y * y <= ranks / z; y++) {
      const x = ranks / z / y;
      if (Number.isInteger(x) && x + y + z < best[0] + best[1] + best[2]) best = [x, y, z];
    }
  }
  const [x, y, z] = best.map((size) => Math.ceil(gridPoints / size)) as [number, number, number];
  return { sizes: best, block: [x, y, z] };
}

/** The neighbour of a rank in a direction: 2 d is down in dimension d, 2 d + 1 up. */
export function neighbour({ sizes }: Torus, rank: number, direction: number): number {
  const [x, y] = sizes;
  const at = [rank % x, Math.floor(rank / x) % y, Math.floor(rank / (x * y))] as [number, number, number];
  const dimension = direction >> 1;
  const size = sizes[dimension] as number;
  at[dimension] = ((at[dimension] as number) + (direction % 2 === 0 ? size - 1 : 1)) % size;
  return at[0] + x * (at[1] + y * at[2]);
}

/** The other end's name for the same way. */
export const opposite = (direction: number): number => direction ^ 1;
