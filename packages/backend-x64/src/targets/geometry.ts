/**
 * The sets and ways of an L1d: lines that are a multiple of `sets` lines apart share a set, which holds `ways` of them.
 */
export interface Ways {
  /** How many sets there are. */
  readonly sets: number;
  /** How many lines a set holds. */
  readonly ways: number;
}

/** The sizes of a processor's caches and dTLB. Lines have 64 bytes on every x86-64 processor. */
export interface Geometry {
  /** The L1 data cache. */
  readonly l1d: Ways;
  /** The bytes of L2. */
  readonly l2Bytes: number;
  /** Bytes of the last level of cache; 0: there is none, or nothing says. */
  readonly llcBytes: number;
  /** How many pages of 4 KiB the last level of the dTLB holds the addresses of. */
  readonly dtlbPages: number;
}

/**
 * What cpuid says of a processor, over what is known of its family: a hypervisor may hide a part, or state fewer pages.
 */
export const refined = (known: Geometry, { dtlbPages = 0, ...stated }: Partial<Geometry>): Geometry => ({
  ...known,
  ...stated,
  dtlbPages: Math.max(known.dtlbPages, dtlbPages),
});
