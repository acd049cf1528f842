import {
  addressSpace,
  checkBinding,
  DeviceError,
  DisposedError,
  DONE,
  reachOf,
  type Binding,
  type Buffer,
  type Completion,
  type Conditions,
  type Kernel,
  type Move,
  type Plan,
  type Queue,
  type Span,
} from "@stowage/backend-api";
import { copyBatch, copyBytes, isCapturing, type StreamHandle } from "@stowage/cuda-driver";
import { asDeviceError, checkMemory, isLegacy, LEGACY_STREAM, requireOwnQueue } from "@stowage/cuda-plans";
import { requireAttached } from "../host-bytes.js";
import type { RoutePool } from "../pool/route-pool.js";
import type { StagingBuffer } from "../pool/staging-buffer.js";
import { packedBuffer } from "../sides.js";
import type { Interval } from "./intervals.js";
import { passesOf, type Pass } from "./sections.js";

/** What a plan has of its kernel. */
export interface BulkParts {
  readonly moves: readonly Move[];
  readonly conditions: Conditions;
  /** One kernel a move, which packs on the host. */
  readonly packers: readonly Kernel[];
  readonly pool: RoutePool;
}

/** From as many copies on, a batch costs less than a call each. */
const FEWEST_OF_A_BATCH = 4;
/** Where a range takes several passes, one is copied while the processor packs the one before. */
const MIRRORS = 2;

/** A pass of one of the moves. */
interface PassOfMove extends Pass {
  readonly move: number;
}

/** Sections whole into pinned mirrors of the source, packed by the processor from there; over when a run returns. */
export class BulkPlan implements Plan {
  readonly #parts: BulkParts;
  readonly #bindings: Binding[];
  /** Undefined where the bindings call for others. */
  #passes: readonly PassOfMove[] | undefined;
  #disposed = false;

  constructor(parts: BulkParts, bindings: readonly Binding[]) {
    this.#parts = parts;
    this.#bindings = bindings.map(copied);
    bindings.forEach((binding, i) => this.#ask(i, binding));
    this.#passes = this.#cut();
  }

  run(queue?: Queue): Completion {
    if (this.#disposed) throw new DisposedError("plan");
    if (queue !== undefined) requireOwnQueue(this.#parts.pool.context, queue);
    const passes = (this.#passes ??= this.#cut());
    if (passes.length === 0) return DONE;
    this.#requireAttached();
    try {
      this.#requireNotCapturing(queue);
      this.#run(passes, queue ?? LEGACY_STREAM);
    } catch (error) {
      throw asDeviceError(error);
    }
    return DONE;
  }

  rebind(i: number, binding: Binding): void {
    if (this.#disposed) throw new DisposedError("plan");
    checkBinding(this.#parts.moves, i, binding, this.#parts.conditions);
    this.#ask(i, binding);
    this.#bindings[i] = copied(binding);
    this.#passes = undefined;
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
  }

  #cut(): readonly PassOfMove[] {
    const { moves, pool } = this.#parts;
    // A pass within an element is looked up block by block: no more of them than the pool asks for.
    const mostBytes = pool.limits.stagingBytes;
    return this.#bindings.flatMap((binding, move) =>
      passesOf((moves[move] as Move).source, binding, mostBytes).map((pass) => ({ ...pass, move })),
    );
  }

  #run(passes: readonly PassOfMove[], stream: StreamHandle): void {
    const { pool } = this.#parts;
    const largest = passes.reduce((most, { sizeBytes }) => Math.max(most, sizeBytes), 0);
    const mirrors = pool.take("pinned", largest, Math.min(MIRRORS, passes.length));
    try {
      for (const mirror of mirrors) mirror.settle();
      let packed = 0;
      const packNext = (): void => this.#pack(passes[packed] as PassOfMove, mirrorOf(mirrors, packed++));
      passes.forEach((pass, k) => {
        if (k - packed >= mirrors.length) packNext();
        this.#copy(pass, mirrorOf(mirrors, k), stream);
      });
      while (packed < passes.length) packNext();
    } catch (error) {
      settled(mirrors);
      throw error;
    } finally {
      pool.giveBack(mirrors);
    }
  }

  #copy({ sections }: Pass, mirror: StagingBuffer, stream: StreamHandle): void {
    const { context } = this.#parts.pool;
    const starts = startsOf(sections);
    const sizes = sections.map(({ low, high }) => high - low);
    if (sections.length >= FEWEST_OF_A_BATCH && context.copiesBatches && !isLegacy(stream)) {
      const targets = Float64Array.from(starts, (start) => mirror.address + start);
      const sources = Float64Array.from(sections, ({ address }) => address);
      copyBatch(context, targets, sources, Float64Array.from(sizes)).run(stream);
    } else {
      sections.forEach(({ address }, i) =>
        copyBytes(context, mirror.address + (starts[i] as number), address, sizes[i] as number).run(stream),
      );
    }
    mirror.filledIn(stream);
    mirror.drainedIn(stream);
  }

  #pack({ move, first, length, sections }: PassOfMove, mirror: StagingBuffer): void {
    mirror.settleFilled();
    const { packers, moves } = this.#parts;
    const {
      target,
      count,
      source: { originBytes },
    } = this.#bindings[move] as Binding;
    const { lowBytes, highBytes } = reachOf((moves[move] as Move).source, { count, first, length });
    const reach = { low: originBytes + lowBytes, high: originBytes + highBytes };
    const bindings = [{ source: mirrored(sections, reach, originBytes, mirror), target, count, first, length }];
    const packer = packers[move] as Kernel;
    if (packer.call !== undefined) return packer.call(bindings).wait();
    const plan = packer.bind(bindings);
    plan.run().wait();
    plan[Symbol.dispose]();
  }

  #requireAttached(): void {
    this.#bindings.forEach((binding, i) => {
      if (binding.length === 0) return;
      const { buffer } = packedBuffer(this.#parts.moves[i] as Move, "target", binding);
      requireAttached(buffer, "target", i);
    });
  }

  #ask(i: number, binding: Binding): void {
    if (binding.length === 0) return;
    try {
      checkMemory(this.#parts.pool.context, "source", i, binding.source.memory);
    } catch (error) {
      throw asDeviceError(error);
    }
  }

  #requireNotCapturing(queue: Queue | undefined): void {
    if (queue === undefined || isLegacy(queue) || !isCapturing(this.#parts.pool.context, queue)) return;
    throw new DeviceError("queue of a bulk plan: expected one that is not capturing, got one that is: the host packs");
  }
}

const mirrorOf = (mirrors: readonly StagingBuffer[], k: number): StagingBuffer =>
  mirrors[k % mirrors.length] as StagingBuffer;

/** Where each section starts in a mirror. */
function startsOf(sections: Pass["sections"]): readonly number[] {
  let at = 0;
  return sections.map(({ low, high }) => {
    const start = at;
    at += high - low;
    return start;
  });
}

/** The data as a mirror has it: a buffer where one section is all that the elements reach, else a space of sections. */
function mirrored(sections: Pass["sections"], reach: Interval, originBytes: number, { bytes }: StagingBuffer): Span {
  const starts = startsOf(sections);
  const regions = sections.map(({ low, high }, i) => {
    const start = starts[i] as number;
    const buffer: Buffer = { kind: "pinned", sizeBytes: high - low, bytes: bytes.subarray(start, start + high - low) };
    return { startBytes: low, buffer };
  });
  const [only] = regions;
  if (regions.length > 1 || only === undefined || !holds(sections[0] as Interval, reach))
    return { memory: addressSpace(regions), originBytes };
  return { memory: only.buffer, originBytes: originBytes - only.startBytes };
}

const holds = (outer: Interval, inner: Interval): boolean => inner.low >= outer.low && inner.high <= outer.high;

/** What was sent ends before anyone else takes the mirrors; a lost device runs nothing any more. */
function settled(mirrors: readonly StagingBuffer[]): void {
  try {
    for (const mirror of mirrors) mirror.settle();
  } catch {
    // The first error tells of it.
  }
}

const copied = ({ source, target, count, first, length }: Binding): Binding => ({
  source: { memory: source.memory, originBytes: source.originBytes },
  target: { memory: target.memory, originBytes: target.originBytes },
  count,
  first,
  length,
});
