/** By which an operation of a window goes; "remote": by this rank's GPU, into memory of the target's. */
export type WindowCarrier = "native" | "packed" | "remote";

/** What accumulates by one carrier take: time = base + blocks x perBlock + bytes x perByte, nanoseconds. */
export interface AccumulateLine {
  readonly baseNs: number;
  readonly perBlockNs: number;
  readonly perByteNs: number;
}

/** What an epoch between fences with one accumulate takes on these ranks, by the MPI and packed. */
export interface AccumulateTerms {
  readonly native: AccumulateLine;
  readonly packed: AccumulateLine;
}

/** What accumulates take by either carrier on these ranks, once a window measured it. */
export class MeasuredAccumulates {
  terms: AccumulateTerms | undefined;
}

/** An accumulate, as far as its cost is concerned. */
export interface AccumulateFacts {
  /** Runs of bytes of the side that has more. */
  readonly blocks: number;
  readonly sizeBytes: number;
  /**
   * Whether an earlier one of this epoch to the same rank goes packed: what follows it must too (MPI 4.1, section
   * 12.7.2).
   */
  readonly isBehindPacked: boolean;
}

/** How an accumulate goes, and why. */
export interface AccumulatePlan {
  readonly carrier: WindowCarrier;
  /** @deprecated `carrier` says the same. */
  readonly route: WindowCarrier;
  /** Why, in words for the user. */
  readonly reason: string;
  /** Nanoseconds that it is expected to take by the MPI's own call; absent where nothing was compared. */
  readonly nativeNs?: number;
  /** Nanoseconds that it is expected to take packed; absent where nothing was compared. */
  readonly packedNs?: number;
}

/** The carrier that is expected to take less, by what both took here. */
export function planAccumulate(terms: AccumulateTerms | undefined, facts: AccumulateFacts): AccumulatePlan {
  const { blocks, sizeBytes, isBehindPacked } = facts;
  if (isBehindPacked) return planOf("packed", "one before it in this epoch goes packed, and their order is kept");
  if (terms === undefined)
    return blocks < FEW_BLOCKS
      ? planOf("native", `${blocks} blocks are few, and the next fence measures both`)
      : planOf("packed", `${blocks} blocks may be slow natively, and the next fence measures both`);
  const of = ({ baseNs, perBlockNs, perByteNs }: AccumulateLine): number =>
    Math.round(baseNs + blocks * perBlockNs + sizeBytes * perByteNs);
  const [nativeNs, packedNs] = [of(terms.native), of(terms.packed)];
  const each = (ns: number): string => `${(ns / 1000).toFixed(1)} us`;
  const reason = `${each(nativeNs)} by the MPI, ${each(packedNs)} packed, by what ${blocks} blocks took here`;
  return { ...planOf(packedNs < nativeNs ? "packed" : "native", reason), nativeNs, packedNs };
}

/** Open MPI 4.1 moves each block by operations of its own, microseconds each. */
const FEW_BLOCKS = 16;

export const planOf = (carrier: WindowCarrier, reason: string): AccumulatePlan => ({ carrier, route: carrier, reason });
