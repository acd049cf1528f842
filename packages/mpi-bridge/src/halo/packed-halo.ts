import { hostMemory, type Buffer, type Queue } from "@stowage/backend-api";
import type { Engine } from "@stowage/selector";
import type { Communicator } from "../communicator/communicator.js";
import { bindPacks, bindUnpacks, type BoundMoves } from "./bound-moves.js";
import { byAlltoallv, byPersistent, type PackedExchange } from "./packed-exchange.js";
import type { Halo, HaloOptions } from "./halo-options.js";
import { messagesBut, type HaloSides } from "./halo-parts.js";
import type { CarriedHalo } from "./carried-halo.js";

/** All regions packed by one launch into memory that MPI sends, and unpacked by one. */
export class PackedHalo implements CarriedHalo {
  readonly #queue: Queue | undefined;
  readonly #memory: readonly PackedBytes[];
  readonly #pack: BoundMoves | undefined;
  readonly #unpack: BoundMoves | undefined;
  readonly #exchange: PackedExchange;

  constructor(comm: Communicator, engine: Engine, { queue, pinned }: HaloOptions, halo: Halo, sides: HaloSides) {
    this.#queue = queue;
    // What a rank sends itself needs no message of ours; an alltoallv carries it, as it is without us.
    const keeps = halo.exchange === "persistent" ? comm.rank : undefined;
    const onHost = (halo.span.memory as Buffer).kind === "host";
    const [sent, received] = [sides.sent, sides.received].map(({ sizeBytes }) =>
      packedBytes(Math.max(1, sizeBytes), onHost ? undefined : pinned),
    ) as [PackedBytes, PackedBytes];
    this.#memory = [sent, received];
    const memory = { sent: sent.memory, received: received.memory };
    this.#pack = bindPacks(engine, halo, sides, memory);
    this.#unpack = bindUnpacks(engine, halo, sides, memory, keeps);
    const open = halo.exchange === "persistent" ? byPersistent : byAlltoallv;
    this.#exchange = open(
      comm,
      { bytes: sent.bytes, messages: messagesBut(sides.sent, keeps) },
      { bytes: received.bytes, messages: messagesBut(sides.received, keeps) },
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

function packedBytes(sizeBytes: number, pinned: HaloOptions["pinned"]): PackedBytes {
  if (pinned === undefined) {
    const bytes = new Uint8Array(sizeBytes);
    return { bytes, memory: hostMemory(bytes), [Symbol.dispose]: () => undefined };
  }
  const memory = pinned(sizeBytes);
  return { bytes: memory.bytes, memory, [Symbol.dispose]: () => memory[Symbol.dispose]?.() };
}
