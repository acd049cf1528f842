/** How a processor behaves where only measuring tells. */
export interface Behaviour {
  /**
   * Whether NOP padding between loads of lines that conflict in a set of L1d lets each line be read before it is
   * evicted.
   */
  readonly paddingLimitsConflicts: boolean;
  /**
   * Whether a fence behind each store to lines that conflict in a set of L1d lets each line be written before it is
   * evicted.
   */
  readonly fencesLimitConflicts: boolean;
  /** Whether NOP padding between such stores does the same. */
  readonly paddingLimitsStoreConflicts: boolean;
  /**
   * Whether loads that find no fill buffer are retried, so that NOP padding between blocks that miss all caches gains.
   */
  readonly retriesMisses: boolean;
  /** How many branches on varying lengths the branch predictor holds the outcomes of. */
  readonly branchHistoryRuns: number;
  /** Bytes from which REP MOVSB copies a run faster than vectors do; Infinity: none. */
  readonly repMovsbBytes: number;
  /** Bytes from which REP MOVSB unpacks a run faster than vectors do; Infinity: none. */
  readonly repMovsbUnpackedBytes: number;
  /**
   * Bytes from which REP MOVSB is faster where another core wrote the source's lines or has the target's in its cache,
   * as it is with messages between ranks; Infinity: none.
   */
  readonly repMovsbBetweenCoresBytes: number;
  /**
   * Bytes from which a run gains by stores that each keep to a line of the target: its first vector goes apart;
   * Infinity: none.
   */
  readonly alignedStoresBytes: number;
  /**
   * Bytes apart from which stores of short blocks to pages of their own, beyond the dTLB's reach, gain by rounds of one
   * block with NOP padding; Infinity: none.
   */
  readonly paddedPageStoresBytes: number;
  /** Whether short blocks that lie in L2 gain by a prefetch where they are too far apart for the hardware to follow. */
  readonly prefetchesL2: boolean;
  /** Whether rounds of 32 short blocks gain over rounds of 8 in L2 too: eight strides mislead the L1 prefetcher. */
  readonly longRoundsInL2: boolean;
}

/** Where nobody measured: nothing is on that won elsewhere only. */
export const PLAIN: Behaviour = Object.freeze({
  paddingLimitsConflicts: false,
  fencesLimitConflicts: false,
  paddingLimitsStoreConflicts: false,
  retriesMisses: false,
  branchHistoryRuns: 256,
  repMovsbBytes: Infinity,
  repMovsbUnpackedBytes: Infinity,
  repMovsbBetweenCoresBytes: Infinity,
  alignedStoresBytes: Infinity,
  // On a Zen 3 they take 0.83 to 1.12 of the time ten pages apart, and 0.90 to 1.41 four (padded-pages-zen-3.json).
  paddedPageStoresBytes: 2 ** 15,
  prefetchesL2: true,
  longRoundsInL2: false,
});
