import { DriverError, type Context, type OwnStream } from "@stowage/cuda-driver";
import { POOL_LIMITS, type PoolLimits } from "./limits.js";
import { StagingBuffer, type StagingKind } from "./staging-buffer.js";
import { StreamPool } from "./stream-pool.js";

const SMALLEST_BYTES = 2 ** 16;
const OUT_OF_MEMORY = 2; // CUDA_ERROR_OUT_OF_MEMORY

/** What a pool holds now. */
export interface PoolUse {
  /** Bytes of all staging buffers on the device. */
  readonly deviceBytes: number;
  /** Bytes of all staging buffers in pinned memory of the host. */
  readonly pinnedBytes: number;
  /** How many staging buffers there are, of both kinds. */
  readonly buffers: number;
  /** How many streams for copies there are. */
  readonly streams: number;
  /** How many of the buffers someone has taken. */
  readonly taken: number;
}

/**
 * The staging buffers and streams of one device: made when first needed, kept for the next, never more than the limits.
 * A buffer goes back as soon as its work was sent; whoever takes it next waits for that work on the device.
 */
export class RoutePool implements Disposable {
  /** The context of the device. */
  readonly context: Context;
  /** The limits, with nothing left out. */
  readonly limits: PoolLimits;
  /** The streams for copies. */
  readonly streams: StreamPool;
  readonly #free: StagingBuffer[] = [];
  readonly #taken = new Set<StagingBuffer>();

  constructor(context: Context, limits: Partial<PoolLimits> = {}) {
    this.context = context;
    this.limits = { ...POOL_LIMITS, ...limits };
    this.streams = new StreamPool(context, this.limits.streams);
  }

  /** What the pool holds now, free buffers included. */
  get use(): PoolUse {
    const all = this.#all();
    const bytesOf = (kind: StagingKind): number =>
      all.filter((buffer) => buffer.kind === kind).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    return {
      deviceBytes: bytesOf("device"),
      pinnedBytes: bytesOf("pinned"),
      buffers: all.length,
      streams: this.streams.size,
      taken: this.#taken.size,
    };
  }

  /** A stream for copies: an idle one, a new one within the limits, else the one that was taken longest ago. */
  stream(): OwnStream {
    return this.streams.take();
  }

  /**
   * Takes up to `most` buffers of at least `sizeBytes`, and one at least: those that are free, else new ones within the
   * limits; the first is made whatever the limits. Throws a DriverError where not even one can be had.
   */
  take(kind: StagingKind, sizeBytes: number, most: number): readonly StagingBuffer[] {
    const taken: StagingBuffer[] = [];
    try {
      while (taken.length < most) {
        const buffer = this.#takeFree(kind, sizeBytes) ?? this.#make(kind, sizeBytes, taken.length === 0);
        if (buffer === undefined) break;
        this.#taken.add(buffer);
        taken.push(buffer);
      }
    } catch (error) {
      this.giveBack(taken);
      throw error;
    }
    return taken;
  }

  /** Gives buffers back for the next: their last use was marked by drainedIn, or is over. */
  giveBack(buffers: readonly StagingBuffer[]): void {
    for (const buffer of buffers) if (this.#taken.delete(buffer)) this.#free.push(buffer);
  }

  /** Frees every buffer that nobody has taken, once its work is over. */
  shrink(): void {
    for (const buffer of this.#free.splice(0)) buffer[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    for (const buffer of this.#all()) buffer[Symbol.dispose]();
    this.#free.length = 0;
    this.#taken.clear();
    this.streams[Symbol.dispose]();
  }

  #all(): readonly StagingBuffer[] {
    return [...this.#free, ...this.#taken];
  }

  /** The smallest that is large enough. */
  #takeFree(kind: StagingKind, sizeBytes: number): StagingBuffer | undefined {
    const fitting = this.#free.filter((buffer) => buffer.kind === kind && buffer.sizeBytes >= sizeBytes);
    const [best] = fitting.sort((a, b) => a.sizeBytes - b.sizeBytes);
    if (best !== undefined) this.#free.splice(this.#free.indexOf(best), 1);
    return best;
  }

  /** Where the limits are reached, smaller free buffers make room; a first buffer is made whatever the limits. */
  #make(kind: StagingKind, sizeBytes: number, first: boolean): StagingBuffer | undefined {
    const rounded = roundedUp(sizeBytes);
    while (!this.#hasRoom(kind, rounded)) {
      const smaller = this.#free.findIndex((buffer) => buffer.kind === kind);
      if (smaller < 0) break;
      this.#free.splice(smaller, 1)[0]?.[Symbol.dispose]();
    }
    if (!first && !this.#hasRoom(kind, rounded)) return undefined;
    try {
      return new StagingBuffer(this.context, kind, rounded);
    } catch (error) {
      if (!isShortOfMemory(error)) throw error;
      this.shrink();
      if (!first) return undefined;
      return new StagingBuffer(this.context, kind, rounded);
    }
  }

  #hasRoom(kind: StagingKind, sizeBytes: number): boolean {
    const same = this.#all().filter((buffer) => buffer.kind === kind);
    const bytes = same.reduce((sum, buffer) => sum + buffer.sizeBytes, sizeBytes);
    return same.length < this.limits.buffers && bytes <= this.limits.stagingBytes;
  }
}

/** Four sizes from each power of two to the next, so that few serve all messages. */
function roundedUp(sizeBytes: number): number {
  const step = Math.max(SMALLEST_BYTES, 2 ** (Math.floor(Math.log2(sizeBytes)) - 2));
  return Math.ceil(sizeBytes / step) * step;
}

export const isShortOfMemory = (error: unknown): boolean =>
  error instanceof DriverError && error.result === OUT_OF_MEMORY;
