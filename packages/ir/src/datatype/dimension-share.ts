import type { Distribution } from "./distribution.js";
import type { Darray } from "./datatype.js";

/**
 * What one process holds along one dimension: `fullBlocks` blocks of `blockElements`, from element `firstElement`,
 * `strideElements` apart, then a shorter block of `lastElements` (0 where there is none), one stride on.
 */
export interface DimensionShare {
  readonly firstElement: number;
  readonly blockElements: number;
  readonly strideElements: number;
  readonly fullBlocks: number;
  readonly lastElements: number;
}

/**
 * The share of every dimension: MPI 4.1, section 5.1.4, where block(k) is cyclic(k), block's default is
 * ceil(gsize / psize), cyclic's is 1 and none is one block of the whole dimension.
 */
export function dimensionShares(share: Darray): readonly DimensionShare[] {
  const coordinates = gridCoordinates(share.rank, share.psizes);
  return share.gsizes.map((gsize, i) => {
    const psize = share.psizes[i] as number;
    return cyclicShare(gsize, blockElements(share, i), coordinates[i] as number, psize);
  });
}

function blockElements(share: Darray, dimension: number): number {
  const gsize = share.gsizes[dimension] as number;
  const darg = share.dargs[dimension] ?? null;
  const distribution = share.distribs[dimension] as Distribution;
  switch (distribution) {
    case "cyclic":
      return Math.min(darg ?? 1, gsize);
    case "block":
      return Math.min(darg ?? Math.ceil(gsize / (share.psizes[dimension] as number)), gsize);
    case "none":
      return gsize;
  }
}

/** Where a rank sits in the process grid; the last dimension of the grid varies fastest. */
function gridCoordinates(rank: number, psizes: readonly number[]): readonly number[] {
  const coordinates: number[] = [];
  let rest = rank;
  for (let i = psizes.length - 1; i >= 0; i--) {
    const psize = psizes[i] as number;
    coordinates.unshift(rest % psize);
    rest = Math.floor(rest / psize);
  }
  return coordinates;
}

function cyclicShare(gsize: number, block: number, coordinate: number, psize: number): DimensionShare {
  const blocks = Math.ceil(gsize / block);
  const mine = Math.max(0, Math.ceil((blocks - coordinate) / psize));
  const lastBlock = coordinate + (mine - 1) * psize;
  const lastElements = mine > 0 && lastBlock === blocks - 1 ? gsize - lastBlock * block : block;
  return {
    firstElement: coordinate * block,
    blockElements: block,
    // A lone block has no stride; psize × block may then lie beyond the safe integers.
    strideElements: mine > 1 ? psize * block : block,
    fullBlocks: lastElements < block ? mine - 1 : mine,
    lastElements: lastElements < block ? lastElements : 0,
  };
}
