/** An L1d by its sets: lines `sets` lines apart share one, which holds `ways` of them. */
export interface Ways {
  readonly sets: number;
  readonly ways: number;
}

/** What holds data and addresses of it, by level. Lines have 64 bytes on every x86-64 processor. */
export interface Geometry {
  readonly l1d: Ways;
  readonly l2Bytes: number;
  /** Bytes of the last level of cache; 0: there is none, or nothing says. */
  readonly llcBytes: number;
  /** Pages of 4 KiB whose addresses the last level of the dTLB holds. */
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
