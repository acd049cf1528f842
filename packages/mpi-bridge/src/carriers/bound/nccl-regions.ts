import type { Completion } from "@stowage/backend-api";
import type { DeviceMemory, Stream } from "@stowage/cuda-driver";
import type { NcclCommunicator, Transfer } from "@stowage/nccl";
import { bindPacks, bindUnpacks, type BoundMoves } from "./bound-moves.js";
import type { BoundRegions, BoundTerms } from "./bound-regions.js";
import { messagesBut, type Regions } from "./regions.js";

/**
 * All regions packed by one launch, exchanged by one group of NCCL, and unpacked by one launch, in the order of one
 * stream.
 */
export class NcclRegions implements BoundRegions {
  readonly #comm: NcclCommunicator;
  readonly #stream: Stream;
  readonly #memory: { readonly sent: DeviceMemory; readonly received: DeviceMemory };
  readonly #pack: BoundMoves | undefined;
  readonly #unpack: BoundMoves | undefined;
  readonly #transfers: readonly Transfer[];
  #last: Completion | undefined;

  constructor(comm: NcclCommunicator, regions: Regions, { engine, queue }: BoundTerms) {
    const { sent, received } = regions;
    const { context, rank } = comm;
    this.#comm = comm;
    // Without a queue it is as docs/design/backend-api.md has it: a blocking stream comes behind the legacy default
    // one, and before it.
    this.#stream = queue === undefined ? context.stream({ blocking: true }) : context.foreignStream(queue.handle);
    const memoryFor = (bytes: number): DeviceMemory => context.deviceMemory(Math.max(1, bytes));
    this.#memory = { sent: memoryFor(sent.sizeBytes), received: memoryFor(received.sizeBytes) };
    this.#pack = bindPacks(engine, regions, this.#memory);
    this.#unpack = bindUnpacks(engine, regions, this.#memory, rank);
    const transfersOf = (act: Transfer["act"], key: "sent" | "received"): readonly Transfer[] =>
      messagesBut(regions[key], rank).map(({ peer, at, sizeBytes }) => ({
        ...{ act, peer, address: this.#memory[key].address + at, sizeBytes },
      }));
    this.#transfers = [...transfersOf("receive", "received"), ...transfersOf("send", "sent")];
  }

  get explanation(): string {
    return `pack: ${this.#pack?.explanation ?? "nothing"}; NCCL; unpack: ${this.#unpack?.explanation ?? "nothing"}`;
  }

  /** All of it is sent to the stream. */
  start(): void {
    this.#pack?.plan.run(this.#stream);
    this.#comm.exchange(this.#stream, this.#transfers);
    this.#last = this.#unpack?.plan.run(this.#stream);
  }

  finish(): void {
    this.#last?.wait();
  }

  run(): void {
    this.start();
    this.finish();
  }

  pack(): void {
    this.#pack?.plan.run(this.#stream).wait();
  }

  exchange(): void {
    this.#comm.exchange(this.#stream, this.#transfers);
    this.#stream.synchronize();
  }

  unpack(): void {
    this.#unpack?.plan.run(this.#stream).wait();
  }

  [Symbol.dispose](): void {
    this.#stream.synchronize();
    const { sent, received } = this.#memory;
    for (const each of [this.#unpack, this.#pack, sent, received, this.#comm, this.#stream]) each?.[Symbol.dispose]();
  }
}
