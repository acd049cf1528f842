import { hostMemory, type Buffer, type Queue } from "@stowage/backend-api";
import { bindPacks, bindUnpacks, type BoundMoves } from "./bound-moves.js";
import type { BoundRegions, BoundTerms } from "./bound-regions.js";
import { byAlltoallv, byPersistent, type PackedExchange } from "./packed-exchange.js";
import { messagesBut, type Regions } from "./regions.js";

/** All regions packed by one launch into memory that MPI sends, and unpacked by one. */
export class PackedRegions implements BoundRegions {
  readonly #queue: Queue | undefined;
  readonly #memory: readonly PackedBytes[];
  readonly #pack: BoundMoves | undefined;
  readonly #unpack: BoundMoves | undefined;
  readonly #exchange: PackedExchange;

  constructor(regions: Regions, { ranks, engine, queue, pinned, form }: BoundTerms) {
    this.#queue = queue;
    // What a rank sends itself needs no message of ours; an alltoallv carries it, as it is without us.
    const keeps = form === "alltoallv" ? undefined : ranks.rank;
    const onHost = (regions.span.memory as Buffer).kind === "host";
    const [sent, received] = [regions.sent, regions.received].map(({ sizeBytes }) =>
      packedBytes(Math.max(1, sizeBytes), onHost ? undefined : pinned),
    ) as [PackedBytes, PackedBytes];
    this.#memory = [sent, received];
    const memory = { sent: sent.memory, received: received.memory };
    this.#pack = bindPacks(engine, regions, memory);
    this.#unpack = bindUnpacks(engine, regions, memory, keeps);
    const open = form === "alltoallv" ? byAlltoallv : byPersistent;
    this.#exchange = open(
      ranks,
      { bytes: sent.bytes, messages: messagesBut(regions.sent, keeps) },
      { bytes: received.bytes, messages: messagesBut(regions.received, keeps) },
    );
  }

  get explanation(): string {
    return `pack: ${this.#pack?.explanation ?? "nothing"}; unpack: ${this.#unpack?.explanation ?? "nothing"}`;
  }

  start(): void {
    this.#exchange.prepare();
    this.pack();
    this.#exchange.send();
  }

  finish(): void {
    this.#exchange.wait();
    this.unpack();
  }

  run(): void {
    this.#exchange.prepare();
    this.pack();
    this.#exchange.sendAndWait();
    this.unpack();
  }

  pack(): void {
    this.#pack?.plan.run(this.#queue).wait();
  }

  exchange(): void {
    this.#exchange.prepare();
    this.#exchange.sendAndWait();
  }

  unpack(): void {
    this.#unpack?.plan.run(this.#queue).wait();
  }

  [Symbol.dispose](): void {
    this.#exchange.free();
    for (const each of [this.#unpack, this.#pack, ...this.#memory]) each?.[Symbol.dispose]();
  }
}

interface PackedBytes extends Disposable {
  readonly bytes: Uint8Array;
  readonly memory: Buffer;
}

function packedBytes(sizeBytes: number, pinned: BoundTerms["pinned"]): PackedBytes {
  if (pinned === undefined) {
    const bytes = new Uint8Array(sizeBytes);
    return { bytes, memory: hostMemory(bytes), [Symbol.dispose]: () => undefined };
  }
  const memory = pinned(sizeBytes);
  return { bytes: memory.bytes, memory, [Symbol.dispose]: () => memory[Symbol.dispose]?.() };
}
