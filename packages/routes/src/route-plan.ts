import {
  checkBinding,
  DeviceError,
  DisposedError,
  DONE,
  type Binding,
  type CaptureOptions,
  type Completion,
  type Conditions,
  type Kernel,
  type Move,
  type Plan,
  type Queue,
} from "@stowage/backend-api";
import { isCapturing, type Context, type Event, type StreamHandle } from "@stowage/cuda-driver";
import {
  CapturedPlan,
  type Capturable,
  asDeviceError,
  checkMemory,
  Completions,
  isLegacy,
  LEGACY_STREAM,
  requireOwnQueue,
  withDeviceErrors,
} from "@stowage/cuda-plans";
import { chunksOf } from "./chunks.js";
import type { Figures } from "./figures.js";
import { requireAttached } from "./host-bytes.js";
import { bufferOf, send, sendCaptured, type Taken } from "./pass.js";
import { isShortOfMemory, type RoutePool } from "./pool/route-pool.js";
import type { StagingBuffer } from "./pool/staging-buffer.js";
import type { Route } from "./route.js";
import { kindOn, packedBuffer, type Side } from "./sides.js";
import { StagedChunk } from "./staged-chunk.js";

/** What a plan has of its kernel. */
export interface RouteParts {
  readonly route: Route;
  readonly moves: readonly Move[];
  readonly conditions: Conditions;
  readonly side: Side;
  readonly packer: Kernel;
  readonly pool: RoutePool;
  readonly figures: Figures;
}

/** Buffers of a pipeline: one is packed, one copied, one waits its turn. */
const PIPELINE_DEPTH = 3;
/** Below this, short memory is an error. */
const LEAST_CHUNK_BYTES = 2 ** 16;

/** Moves through staging buffers, which it takes from the pool for the time of sending a run. */
export class RoutePlan implements Plan, Capturable {
  readonly #parts: RouteParts;
  readonly #completions: Completions;
  readonly #begun: Event;
  readonly #bindings: Binding[];
  readonly #isPageable: boolean;
  #mostChunkBytes: number;
  #chunks: readonly StagedChunk[] | undefined;
  #largestBytes = 0;
  /** Taken for good, by a capture. */
  #kept: Taken | undefined;
  #disposed = false;

  /** The bindings have been checked, but for what only the driver knows. Throws a BindingError, a DeviceError. */
  constructor(parts: RouteParts, bindings: readonly Binding[]) {
    const { pool, figures, conditions, side } = parts;
    this.#parts = parts;
    this.#bindings = bindings.map(copied);
    this.#isPageable = kindOn(conditions, side) === "host";
    this.#mostChunkBytes = Math.min(
      parts.route.chunked ? figures.mostChunkBytes : Infinity,
      pool.limits.stagingBytes / 2,
    );
    bindings.forEach((binding, i) => this.#ask(i, binding));
    this.#completions = new Completions(pool.context);
    this.#begun = withDeviceErrors(() => pool.context.event());
    this.#chunks = this.#cut();
  }

  run(queue?: Queue): Completion {
    if (this.#disposed) throw new DisposedError("plan");
    if (queue !== undefined) requireOwnQueue(this.#parts.pool.context, queue);
    const chunks = (this.#chunks ??= this.#cut());
    if (chunks.length === 0) return DONE;
    this.#requireHost();
    try {
      this.#requireNotCapturing(queue);
      return this.#pass(queue);
    } catch (error) {
      throw asDeviceError(error);
    }
  }

  rebind(i: number, binding: Binding): void {
    if (this.#disposed) throw new DisposedError("plan");
    const { moves, conditions } = this.#parts;
    checkBinding(moves, i, binding, conditions);
    this.#ask(i, binding);
    const { count, first, length } = this.#bindings[i] as Binding;
    const sameRange = count === binding.count && first === binding.first && length === binding.length;
    this.#bindings[i] = copied(binding);
    if (sameRange) for (const chunk of this.#chunks ?? []) chunk.rebind(this.#bindings, i);
    else this.#forget();
  }

  /**
   * A run as one launch of a graph. Staging buffers are taken from the pool for as long as the captured plan lives,
   * which must end before this one. Throws a DeviceError of pageable memory, whose copies are the processor's.
   */
  capture(queue: Queue, options: CaptureOptions = {}): CapturedPlan {
    if (this.#disposed) throw new DisposedError("plan");
    return new CapturedPlan(this, queue, options);
  }

  get context(): Context {
    return this.#parts.pool.context;
  }

  readyForCapture(): boolean {
    const { name } = this.#parts.route;
    if (this.#isPageable)
      throw new DeviceError(
        `capture of a plan of route ${name}: expected pinned memory, got pageable memory: graphs hold no copies by the processor`,
      );
    if ((this.#chunks ??= this.#cut()).length === 0) return false;
    if ((this.#kept?.device[0]?.sizeBytes ?? 0) < this.#largestBytes) {
      this.releaseCapture();
      this.#kept = this.#take();
      for (const buffer of this.#kept.device) buffer.settle();
    }
    return true;
  }

  settle(): void {
    const taken = this.#kept;
    this.#chunks?.forEach((chunk, k) => taken && chunk.readyForCapture(bufferOf(taken.device, k)));
  }

  sendCaptured(queue: StreamHandle): void {
    if (this.#kept === undefined) throw new TypeError("captured plan: expected buffers, got none");
    const { device } = this.#kept;
    try {
      sendCaptured(this.#chunks ?? [], this.#parts.side, queue, this.#kept);
    } finally {
      for (const buffer of device) buffer.forgetUses();
    }
  }

  readonly launches = undefined;

  releaseCapture(): void {
    if (this.#kept !== undefined) this.#giveBack(this.#kept);
    this.#kept = undefined;
  }

  /** Buffers go back to the pool with their work; nobody frees them while it runs. */
  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    withDeviceErrors(() => {
      this.#forget();
      if (this.#kept !== undefined) this.#giveBack(this.#kept);
      this.#completions[Symbol.dispose]();
      this.#begun[Symbol.dispose]();
    });
  }

  #pass(queue: Queue | undefined): Completion {
    const { side } = this.#parts;
    const taken = this.#take();
    try {
      send(this.#chunks ?? [], side, queue, taken);
    } catch (error) {
      this.#abandon(taken, queue ?? LEGACY_STREAM);
      throw error;
    }
    this.#giveBack(taken);
    return this.#isPageable && side === "target" ? DONE : this.#completions.record(queue ?? LEGACY_STREAM);
  }

  /** Everything that a run needs, before anything is sent; of smaller chunks where memory is short. */
  #take(): Taken {
    const { pool } = this.#parts;
    for (;;) {
      const chunks = (this.#chunks ??= this.#cut());
      const most = Math.min(chunks.length, PIPELINE_DEPTH);
      const taken: StagingBuffer[] = [];
      try {
        taken.push(...pool.take("device", this.#largestBytes, most));
        const device = [...taken];
        const pinned = this.#isPageable ? pool.take("pinned", this.#largestBytes, most) : [];
        taken.push(...pinned);
        return { device, pinned, copies: chunks.length > 1 ? pool.stream() : undefined, begun: this.#begun };
      } catch (error) {
        pool.giveBack(taken);
        if (!isShortOfMemory(error) || this.#mostChunkBytes <= LEAST_CHUNK_BYTES) throw error;
        this.#mostChunkBytes = Math.max(LEAST_CHUNK_BYTES, Math.min(this.#mostChunkBytes, this.#largestBytes) / 2);
        this.#forget();
      }
    }
  }

  #giveBack({ device, pinned }: Taken): void {
    this.#parts.pool.giveBack([...device, ...pinned]);
  }

  /** Sending failed midway: what was sent ends before anyone else takes the buffers. */
  #abandon(taken: Taken, main: StreamHandle): void {
    for (const stream of [main, taken.copies]) {
      try {
        if (stream !== undefined) taken.device.forEach((buffer) => buffer.drainedIn(stream));
        taken.device.forEach((buffer) => buffer.settle());
      } catch {
        // A lost device runs nothing any more; the first error tells of it.
      }
    }
    this.#giveBack(taken);
  }

  #cut(): readonly StagedChunk[] {
    const { route, moves, side, packer, pool, figures } = this.#parts;
    const mostBytes = Math.max(1, Math.floor(this.#mostChunkBytes));
    const leastBytes = route.chunked ? Math.min(figures.leastChunkBytes, mostBytes) : mostBytes;
    const sizes = { leastBytes, mostBytes, smallLast: side === "source" };
    const chunks = chunksOf(this.#bindings, sizes, (move) => !this.#isPageable && this.#follows(move));
    this.#largestBytes = chunks.reduce((most, { sizeBytes }) => Math.max(most, sizeBytes), 0);
    return chunks.map(
      (chunk) => new StagedChunk(chunk, this.#bindings, { context: pool.context, moves, side, kernel: packer }),
    );
  }

  /** Whether the host's bytes of a move begin where those of the one before end. */
  #follows(move: number): boolean {
    const [before, own] = [move - 1, move].map((i) => this.#startOf(i));
    return before !== undefined && own !== undefined && before.start + before.length === own.start;
  }

  #startOf(move: number): { readonly start: number; readonly length: number } | undefined {
    const binding = this.#bindings[move];
    if (binding === undefined || binding.length === 0) return undefined;
    const { moves, side } = this.#parts;
    const { buffer, originBytes } = packedBuffer(moves[move] as Move, side, binding);
    return { start: (buffer.address ?? 0) + originBytes + binding.first, length: binding.length };
  }

  #forget(): void {
    for (const chunk of this.#chunks ?? []) chunk[Symbol.dispose]();
    this.#chunks = undefined;
  }

  /** Asks the driver whether it knows pinned memory as such. Throws a DeviceError where not. */
  #ask(i: number, binding: Binding): void {
    const { pool, side } = this.#parts;
    if (binding.length === 0 || this.#isPageable) return;
    try {
      checkMemory(pool.context, side, i, binding[side].memory);
    } catch (error) {
      throw asDeviceError(error);
    }
  }

  #requireHost(): void {
    if (!this.#isPageable) return;
    const { moves, side } = this.#parts;
    this.#bindings.forEach((binding, i) => {
      if (binding.length > 0) requireAttached(packedBuffer(moves[i] as Move, side, binding).buffer, side, i);
    });
  }

  #requireNotCapturing(queue: Queue | undefined): void {
    if (queue === undefined || isLegacy(queue) || !isCapturing(this.#parts.pool.context, queue)) return;
    const { name } = this.#parts.route;
    throw new DeviceError(
      `queue of a plan of route ${name}: expected one that is not capturing, got one that is: use plan.capture(queue)`,
    );
  }
}

const copied = ({ source, target, count, first, length }: Binding): Binding => ({
  source: { memory: source.memory, originBytes: source.originBytes },
  target: { memory: target.memory, originBytes: target.originBytes },
  count,
  first,
  length,
});
