import { DeviceError, type Binding, type Conditions, type Move } from "@stowage/backend-api";
import { isCapturing, type Context, type Copy, type StreamHandle } from "@stowage/cuda-driver";
import { isLegacy, originAddress, type Work } from "@stowage/cuda-plans";
import { copiesFor } from "./copies.js";
import type { LegacyDetour } from "./legacy-detour.js";

/** The copies of one move, and where its sides lie now. */
interface PlacedCopies {
  readonly copies: readonly Copy[];
  sourceAddress: number;
  targetAddress: number;
}

/** Copies ready to send, in the order of the moves. */
export class DmaWork implements Work {
  readonly congruentBytes = 1;
  readonly readsOwnMemory = false;
  readonly empty: boolean;
  readonly #context: Context;
  readonly #detour: () => LegacyDetour;
  readonly #moves: readonly PlacedCopies[];
  readonly #copies: readonly Copy[];
  readonly #batched: boolean;
  /** Where a count in memory says how much is copied: what it says when the copies are sent. */
  readonly #copiesNow: (() => readonly Copy[]) | undefined;

  constructor(
    context: Context,
    moves: readonly Move[],
    bindings: readonly Binding[],
    conditions: Conditions,
    detour: () => LegacyDetour,
  ) {
    const prepare = () => bindings.map((binding, i) => copiesFor(context, moves[i] as Move, i, binding, conditions));
    const prepared = prepare();
    const isCounted = bindings.some(({ tables }) => tables?.count !== undefined);
    this.#copiesNow = isCounted ? () => prepare().flatMap(({ copies }) => copies) : undefined;
    this.#context = context;
    this.#detour = detour;
    this.#moves = bindings.map(({ source, target }, i) => ({
      copies: prepared[i]?.copies ?? [],
      sourceAddress: originAddress(source),
      targetAddress: originAddress(target),
    }));
    this.#copies = prepared.flatMap(({ copies }) => copies);
    this.#batched = isCounted || prepared.some(({ batched }) => batched);
    this.empty = !isCounted && this.#copies.length === 0;
  }

  /** Throws a DeviceError, before anything is sent, where a batch would go to a capturing stream. */
  send(queue: StreamHandle): void {
    if (!this.#batched) return this.#run(queue);
    if (isLegacy(queue)) return this.#detour().send((stream) => this.#run(stream));
    if (isCapturing(this.#context, queue)) refuseCapture();
    this.#run(queue);
  }

  readdress(i: number, sourceAddress: number, targetAddress: number): void {
    const move = this.#moves[i] as PlacedCopies;
    const [sourceBytes, targetBytes] = [sourceAddress - move.sourceAddress, targetAddress - move.targetAddress];
    move.sourceAddress = sourceAddress;
    move.targetAddress = targetAddress;
    for (const copy of move.copies) copy.shift(targetBytes, sourceBytes);
  }

  [Symbol.dispose](): void {
    // What was sent needs nothing of it.
  }

  #run(stream: StreamHandle): void {
    for (const copy of this.#copiesNow?.() ?? this.#copies) copy.run(stream);
  }
}

function refuseCapture(): never {
  throw new DeviceError(
    "queue of a DMA plan: expected one that is not capturing, got one that is: graphs hold no batches",
  );
}
