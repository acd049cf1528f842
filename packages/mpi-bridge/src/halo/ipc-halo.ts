import { copyMove, packMove, unpackMove, type Buffer, type Completion, type Queue } from "@stowage/backend-api";
import type { DeviceMemory, Stream } from "@stowage/cuda-driver";
import type { Engine } from "@stowage/selector";
import type { Communicator } from "../communicator/communicator.js";
import { bindingOf, bindMoves, packedAt, type BoundMoves } from "./bound-moves.js";
import type { Halo, HaloOptions } from "./halo-options.js";
import type { HaloPart, HaloSides } from "./halo-parts.js";
import { directionsOf, regionOf } from "./halo-regions.js";
import type { CarriedHalo } from "./carried-halo.js";
import { HaloSignals } from "./halo-signals.js";
import type { SharedArrays } from "./shared-arrays.js";

/**
 * One launch that moves all regions from this rank's array to the ghosts of its neighbours' arrays, which it reaches by
 * their handles (CUDA IPC). A rank writes once each neighbour has said that its ghosts are free, and says when it has
 * written: so no iteration meets the next one. What a rank sends itself is packed by that launch and unpacked by
 * another.
 */
export class IpcHalo implements CarriedHalo {
  readonly #queue: Queue | undefined;
  readonly #stream: Stream;
  readonly #opened: Disposable[] = [];
  readonly #kept: DeviceMemory | undefined;
  readonly #move: BoundMoves | undefined;
  readonly #unpack: BoundMoves | undefined;
  readonly #free: HaloSignals;
  readonly #written: HaloSignals;
  /** Undefined until all neighbours' ghosts are known to be free. */
  #moving: Completion | undefined;

  constructor(
    comm: Communicator,
    engine: Engine,
    { queue }: HaloOptions,
    halo: Halo,
    sides: HaloSides,
    arrays: SharedArrays,
  ) {
    const { devices } = comm.shared;
    const { context } = devices.of(halo.span.memory as Buffer);
    this.#queue = queue;
    this.#stream = context.foreignStream(queue?.handle ?? 0);
    const isKept = ({ neighbour }: HaloPart): boolean => neighbour === comm.rank;
    const kept = sides.sent.parts.filter(isKept);
    this.#kept = kept.length === 0 ? undefined : context.deviceMemory(sides.sent.sizeBytes);
    const onDevice = { sourceKind: "device", targetKind: "device" } as const;
    const moved = sides.sent.parts.map((part) => {
      if (isKept(part)) {
        const target = packedAt(this.#kept as DeviceMemory, part);
        return { move: packMove(part.layout), binding: bindingOf(part, halo.span, target) };
      }
      const { offer, sizes } = arrays.of(part.neighbour);
      const held = devices.opened.hold(offer, context);
      this.#opened.push(held);
      const target = { memory: held.memory, originBytes: offer.originBytes };
      return { move: copyMove(part.layout, ghostsOf(halo, sizes, part)), binding: bindingOf(part, halo.span, target) };
    });
    this.#move = bindMoves(
      engine,
      moved.map(({ move }) => move),
      onDevice,
      moved.map(({ binding }) => binding),
    );
    const arrived = sides.received.parts.filter(isKept);
    const packedOf = ({ direction }: HaloPart): HaloPart =>
      kept.find((each) => each.direction === direction) as HaloPart;
    this.#unpack = bindMoves(
      engine,
      arrived.map(({ layout }) => unpackMove(layout)),
      onDevice,
      arrived.map((part) => bindingOf(part, packedAt(this.#kept as DeviceMemory, packedOf(part)), halo.span)),
    );
    const neighbours = sides.sent.messages.map(({ neighbour }) => neighbour).filter((each) => each !== comm.rank);
    this.#free = new HaloSignals(comm, neighbours, 0);
    this.#written = new HaloSignals(comm, neighbours, 1);
  }

  get explanation(): string {
    const own = this.#unpack === undefined ? "" : `; what it sends itself, unpack: ${this.#unpack.explanation}`;
    return `to neighbours' arrays: ${this.#move?.explanation ?? "nothing"}${own}`;
  }

  /** This rank's ghosts are free once what was sent to its stream is over. */
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

  /** Told to the neighbours, all of whom tell this rank something. */
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

/** Where a part goes in its neighbour's array. */
function ghostsOf(halo: Halo, sizes: readonly number[], { direction }: HaloPart) {
  const directions = directionsOf(sizes.length);
  const back = directions[directions.length - 1 - direction] as readonly number[];
  return regionOf({ ...halo, sizes }, back).received;
}
