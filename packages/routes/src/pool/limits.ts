/** How much a pool keeps, at most, of one device. */
export interface PoolLimits {
  /** Bytes of staging buffers on the device; as many again of pinned host memory. */
  readonly stagingBytes: number;
  /** The most staging buffers of each kind, "device" and "pinned". */
  readonly buffers: number;
  /** The most streams for copies. */
  readonly streams: number;
}

/** The limits of a pool unless others are given: 128 MiB and 8 buffers of each kind, 4 streams. */
export const POOL_LIMITS: PoolLimits = Object.freeze({ stagingBytes: 2 ** 27, buffers: 8, streams: 4 });
