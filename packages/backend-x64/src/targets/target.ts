/** A processor, as cpuid names it: the vendor's letters, and leaf 1's family and model, their extensions added. */
export interface Processor {
  readonly vendor: string;
  readonly family: number;
  readonly model: number;
}

/**
 * What is known of a family of processors beyond what cpuid tells: how it behaves where alternatives were measured on it. What
 * was measured nowhere is off.
 */
export interface Target {
  readonly name: string;
  readonly describes: (processor: Processor) => boolean;
  /**
   * Whether fences between stores, and NOP padding between loads, of lines that conflict in a set of L1d let each line finish before
   * it is evicted: "fenced" over "paced" in results/epyc/strides.json; results/xeon/strides.json has the reverse.
   */
  readonly limitsSetConflicts: boolean;
  /** Whether loads that find no fill buffer are retried, so that NOP padding between blocks that miss all caches gains. */
  readonly retriesMisses: boolean;
  /** Branches on varying lengths whose outcomes the branch predictor holds. */
  readonly branchHistoryRuns: number;
  /** Bytes from which REP MOVSB copies a run faster than vectors do; Infinity: none. */
  readonly repMovsbBytes: number;
  /** The same of runs that are unpacked. */
  readonly repMovsbUnpackedBytes: number;
  /** The same where another core wrote the source's lines or has the target's in its cache, as of messages between ranks. */
  readonly repMovsbBetweenCoresBytes: number;
  /** Whether short blocks that lie in L2 gain by a prefetch where they are too far apart for the hardware to follow. */
  readonly prefetchesL2: boolean;
  /** Whether rounds of 32 short blocks gain over rounds of 8 in L2 too: eight strides mislead the L1 prefetcher. */
  readonly longRoundsInL2: boolean;
}
