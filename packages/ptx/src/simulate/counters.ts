/** What a simulated launch did. Sectors and lines are counted per warp access, as the memory system sees them. */
export interface Counters {
  /** How many instructions threads ran: instructions × the threads that were active in them. */
  readonly threadInstructions: number;
  /** How many instructions warps issued; with 32 × this above threadInstructions, lanes were idle. */
  readonly warpInstructions: number;
  readonly globalLoads: AccessCounters;
  readonly globalStores: AccessCounters;
}

/** Counts of accesses to global memory. All but `requests` stay 0 in a translation without `countAccesses`. */
export interface AccessCounters {
  /** How many accesses warps made. */
  readonly requests: number;
  /** Bytes that threads asked for. */
  readonly bytes: number;
  /** How many sectors of 32 bytes they touched. */
  readonly sectors: number;
  /** How many cache lines of 128 bytes they touched. */
  readonly lines: number;
}
