import {
  addressSpace,
  checkBinding,
  DeviceError,
  DisposedError,
  DONE,
  type Binding,
  type Completion,
  type Conditions,
  type Kernel,
  type Move,
  type Plan,
  type Queue,
  type Region,
} from "@stowage/backend-api";
import { copyBatch, copyBytes, isCapturing } from "@stowage/cuda-driver";
import { asDeviceError, checkMemory, isLegacy, LEGACY_STREAM } from "@stowage/cuda-plans";
import type { RoutePool } from "../pool/route-pool.js";
import type { StagingBuffer } from "../pool/staging-buffer.js";
import { addressOf, bytesOf, mirrored, sectionsOf, type Section } from "./sections.js";

/** What a plan has of its kernel. */
export interface BulkParts {
  readonly moves: readonly Move[];
  readonly conditions: Conditions;
  /** Of each move: packs on the host. */
  readonly packers: readonly Kernel[];
  readonly pool: RoutePool;
}

/** From as many copies on, a batch costs less than a call each. */
const FEWEST_OF_A_BATCH = 4;

/** Sections whole into a pinned mirror of the source, then packed by the processor; over when a run returns. */
export class BulkPlan implements Plan {
  readonly #parts: BulkParts;
  readonly #bindings: Binding[];
  #disposed = false;

  constructor(parts: BulkParts, bindings: readonly Binding[]) {
    this.#parts = parts;
    this.#bindings = [...bindings];
    bindings.forEach((binding, i) => this.#ask(i, binding));
  }

  run(queue?: Queue): Completion {
    if (this.#disposed) throw new DisposedError("plan");
    try {
      this.#requireNotCapturing(queue);
      this.#bindings.forEach((binding, i) => this.#move(i, binding, queue));
    } catch (error) {
      throw asDeviceError(error);
    }
    return DONE;
  }

  rebind(i: number, binding: Binding): void {
    if (this.#disposed) throw new DisposedError("plan");
    checkBinding(this.#parts.moves, i, binding, this.#parts.conditions);
    this.#ask(i, binding);
    this.#bindings[i] = binding;
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
  }

  /** Where the mirror would be larger than the pool allows, halves of the range one after the other. */
  #move(i: number, binding: Binding, queue: Queue | undefined): void {
    const { moves, pool } = this.#parts;
    const { first, length } = binding;
    if (length === 0) return;
    const sections = sectionsOf((moves[i] as Move).source, binding);
    if (bytesOf(sections) <= pool.limits.stagingBytes || length === 1) return this.#pass(i, binding, sections, queue);
    const half = Math.floor(length / 2);
    this.#move(i, { ...binding, length: half }, queue);
    this.#move(i, { ...binding, first: first + half, length: length - half }, queue);
  }

  #pass(i: number, binding: Binding, sections: readonly Section[], queue: Queue | undefined): void {
    const { packers, pool } = this.#parts;
    const taken = pool.take("pinned", bytesOf(sections), 1);
    const [mirror] = taken as readonly [StagingBuffer];
    try {
      mirror.settle();
      const space = addressSpace(this.#copyInto(mirror, sections, queue));
      const source = { memory: space, originBytes: binding.source.originBytes };
      const plan = (packers[i] as Kernel).bind([{ ...binding, source }]);
      plan.run().wait();
      plan[Symbol.dispose]();
    } finally {
      pool.giveBack(taken);
    }
  }

  /** Returns when all sections are there. */
  #copyInto(mirror: StagingBuffer, sections: readonly Section[], queue: Queue | undefined): readonly Region[] {
    const { context } = this.#parts.pool;
    const stream = queue ?? LEGACY_STREAM;
    let at = 0;
    const placed = sections.map((section) => {
      const length = section.high - section.low;
      const place = { section, at, length };
      at += length;
      return place;
    });
    if (placed.length >= FEWEST_OF_A_BATCH && context.copiesBatches && !isLegacy(stream)) {
      const column = (of: (place: (typeof placed)[number]) => number) => Float64Array.from(placed, of);
      const targets = column((place) => mirror.address + place.at);
      const sources = column(({ section }) => addressOf(section));
      copyBatch(
        context,
        targets,
        sources,
        column(({ length }) => length),
      ).run(stream);
    } else {
      for (const { section, at: start, length } of placed)
        copyBytes(context, mirror.address + start, addressOf(section), length).run(stream);
    }
    mirror.filledIn(stream);
    mirror.settleFilled();
    return placed.map(({ section, at: start, length }) => {
      const bytes = mirror.bytes.subarray(start, start + length);
      return mirrored(section, { kind: "pinned", sizeBytes: length, bytes });
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
