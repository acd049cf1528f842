/** How much a pool keeps, at most, of one device. */
export interface PoolLimits {
  /** Bytes of staging buffers on the device; as many again of pinned host memory. */
  readonly stagingBytes: number;
  /** Staging buffers of each kind. */
  readonly buffers: number;
  /** The most streams for copies. */
  readonly streams: number;
}

export const POOL_LIMITS: PoolLimits = Object.freeze({ stagingBytes: 2 ** 27, buffers: 8, streams: 4 });
