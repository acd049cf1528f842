import { copyMove, packMove, unpackMove, type Buffer, type Completion, type Queue } from "@stowage/backend-api";
import type { DeviceMemory, Stream } from "@stowage/cuda-driver";
import type { Context } from "../../message/context.js";
import { TOLD_BYTES, tellMemory, toldMemory } from "../ipc/told-memory.js";
import { bindingOf, bindMoves, packedAt, type BoundMoves } from "./bound-moves.js";
import type { BoundRegions, BoundTerms } from "./bound-regions.js";
import type { Region, Regions } from "./regions.js";
import { Signals } from "./signals.js";

/** What all ranks tell of the memory that their regions lie in. All ranks call it. */
export function tellRegions(context: Context, { span }: Regions, { ranks }: BoundTerms): Uint8Array {
  const told = new Uint8Array(TOLD_BYTES * ranks.size);
  ranks.allgather(tellMemory(context, span.memory as Buffer, span.originBytes), told);
  return told;
}

/**
 * One launch that moves all regions from this rank's memory to its peers', which it reaches by their handles (CUDA
 * IPC). A rank writes once each peer has said that what it gets may be written, and says when it has written: so no
 * iteration meets the next one. What a rank sends itself is packed by that launch and unpacked by another.
 */
export class IpcRegions implements BoundRegions {
  readonly #queue: Queue | undefined;
  readonly #stream: Stream;
  readonly #opened: Disposable[] = [];
  readonly #kept: DeviceMemory | undefined;
  readonly #move: BoundMoves | undefined;
  readonly #unpack: BoundMoves | undefined;
  readonly #free: Signals;
  readonly #written: Signals;
  /** Undefined until all peers have said that they may be written. */
  #moving: Completion | undefined;

  /** `told` of all ranks. Throws a BridgeError where a peer cannot share its memory, or is on another host. */
  constructor(context: Context, regions: Regions, terms: BoundTerms, told: Uint8Array) {
    const { devices } = context;
    const { subject, ranks, engine, queue } = terms;
    const { span, sent, received } = regions;
    const gpu = devices.of(span.memory as Buffer).context;
    this.#queue = queue;
    this.#stream = gpu.foreignStream(queue?.handle ?? 0);
    const isKept = ({ peer }: Region): boolean => peer === ranks.rank;
    const kept = sent.regions.filter(isKept);
    this.#kept = kept.length === 0 ? undefined : gpu.deviceMemory(sent.sizeBytes);
    const onDevice = { sourceKind: "device", targetKind: "device" } as const;
    const moved = sent.regions.map((region) => {
      if (isKept(region)) {
        const target = packedAt(this.#kept as DeviceMemory, region);
        return { move: packMove(region.layout), binding: bindingOf(region, span, target) };
      }
      const offer = toldMemory(`${subject}: array`, told, region.peer);
      const held = devices.opened.hold(offer, gpu);
      this.#opened.push(held);
      const target = { memory: held.memory, originBytes: offer.originBytes };
      const move = copyMove(region.layout, regions.layoutAtPeer(region));
      return { move, binding: bindingOf(region, span, target) };
    });
    this.#move = bindMoves(
      engine,
      moved.map(({ move }) => move),
      onDevice,
      moved.map(({ binding }) => binding),
    );
    const arrived = received.regions.filter(isKept);
    const packedOf = ({ number }: Region): Region => kept.find((each) => each.number === number) as Region;
    this.#unpack = bindMoves(
      engine,
      arrived.map(({ layout }) => unpackMove(layout)),
      onDevice,
      arrived.map((region) => bindingOf(region, packedAt(this.#kept as DeviceMemory, packedOf(region)), span)),
    );
    const peers = sent.messages.map(({ peer }) => peer).filter((each) => each !== ranks.rank);
    this.#free = new Signals(subject, ranks, peers, 0);
    this.#written = new Signals(subject, ranks, peers, 1);
  }

  get explanation(): string {
    const own = this.#unpack === undefined ? "" : `; what it sends itself, unpack: ${this.#unpack.explanation}`;
    return `to neighbours' arrays: ${this.#move?.explanation ?? "nothing"}${own}`;
  }

  /** What this rank gets may be written once what was sent to its stream is over. */
  start(): void {
    this.#written.expect();
    this.#free.expect();
    try {
      this.#stream.synchronize();
    } catch (error) {
      this.#free.give(false);
      throw this.#failed(error);
    }
    this.#free.give();
    try {
      if (this.#free.areHere()) this.#launch();
    } catch (error) {
      throw this.#failed(error);
    }
  }

  finish(): void {
    try {
      this.#free.wait();
      if (this.#moving === undefined) this.#launch();
      this.#moving?.wait();
    } catch (error) {
      throw this.#failed(error);
    }
    this.#moving = undefined;
    this.#written.give();
    this.#written.wait();
  }

  run(): void {
    this.start();
    this.finish();
  }

  /** Nothing is packed for others. */
  pack(): void {
    // The exchange moves it.
  }

  exchange(): void {
    this.run();
  }

  unpack(): void {
    // It is in its place.
  }

  [Symbol.dispose](): void {
    for (const each of [this.#free, this.#written, this.#unpack, this.#move, this.#kept, ...this.#opened])
      each?.[Symbol.dispose]();
  }

  /** Told to the peers, all of whom tell this rank something. */
  #failed(error: unknown): unknown {
    this.#moving = undefined;
    this.#written.give(false);
    for (const signals of [this.#free, this.#written]) signals.settle();
    return error;
  }

  #launch(): void {
    const moving = this.#move?.plan.run(this.#queue);
    this.#moving = this.#unpack?.plan.run(this.#queue) ?? moving;
  }
}
