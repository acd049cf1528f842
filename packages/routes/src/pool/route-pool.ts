import { DriverError, type Context, type OwnStream } from "@stowage/cuda-driver";
import { POOL_LIMITS, type PoolLimits } from "./limits.js";
import { StagingBuffer, type StagingKind } from "./staging-buffer.js";
import { StreamPool } from "./stream-pool.js";

const SMALLEST_BYTES = 2 ** 16;
const OUT_OF_MEMORY = 2; // CUDA_ERROR_OUT_OF_MEMORY

/** What a pool holds now. */
export interface PoolUse {
  readonly deviceBytes: number;
  readonly pinnedBytes: number;
  readonly buffers: number;
  readonly streams: number;
  /** Buffers that someone has taken. */
  readonly taken: number;
}

/**
 * The staging buffers and streams of one device: made when first needed, kept for the next, never more than the limits.
 * A buffer goes back as soon as its work was sent; whoever takes it next waits for that work on the device.
 */
export class RoutePool implements Disposable {
  readonly context: Context;
  readonly limits: PoolLimits;
  readonly streams: StreamPool;
  readonly #free: StagingBuffer[] = [];
  readonly #taken = new Set<StagingBuffer>();

  constructor(context: Context, limits: Partial<PoolLimits> = {}) {
    this.context = context;
    this.limits = { ...POOL_LIMITS, ...limits };
    this.streams = new StreamPool(context, this.limits.streams);
  }

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

  stream(): OwnStream {
    return this.streams.take();
  }

  /**
   * Up to `most` buffers of at least `sizeBytes`, and one at least: those that are free, else new ones within the
   * limits. Throws a DriverError where not even one can be had.
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

  /** For the next: their last use was marked by drainedIn, or is over. */
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
