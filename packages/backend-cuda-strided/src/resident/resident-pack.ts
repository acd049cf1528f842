import {
  BindingError,
  checkBindings,
  DisposedError,
  type Binding,
  type Completion,
  type Conditions,
  type Move,
} from "@stowage/backend-api";
import type { Context, Launch, OwnStream } from "@stowage/cuda-driver";
import { asDeviceError, withDeviceErrors } from "@stowage/cuda-plans";
import { recordBytesOf, tilesOf, writeRecord } from "../record.js";
import { shapeOf, type Shape } from "../shape.js";
import { transfersOf, type StridedMove, type Transfer } from "../transfer.js";
import { LEAVE, Mailbox } from "./mailbox.js";
import { RESIDENT_THREADS, residentKernel } from "./resident-kernel.js";

/** How a resident kernel waits. */
export interface ResidentOptions {
  /** Microseconds for which the kernel waits for the next ring before it leaves by itself. Default: 200. */
  readonly idleMicroseconds?: number;
}

export interface ResidentParts {
  readonly move: StridedMove;
  readonly moves: readonly Move[];
  readonly conditions: Conditions;
  readonly context: Context;
}

/** Numbers of bells run from 1 to this, and again. */
const LAST_NUMBER = 2 ** 31;
/** Between looks at whether the kernel left, and questions to the driver, which alone knows of a lost device. */
const POLLS_A_QUESTION = 2048;

/**
 * A kernel of one block that stays on the device and packs when it is rung: no launch and no call of the driver. Its
 * price: while it waits it has a multiprocessor, it reads the bus, and every call that waits for the device (freeing
 * memory, synchronising the context) waits until it has left. It is not in the order of any stream: what it packs must
 * be there.
 */
export class ResidentPack implements Disposable {
  readonly #parts: ResidentParts;
  readonly #idleNs: number;
  readonly #mailbox: Mailbox;
  readonly #stream: OwnStream;
  #bound: Transfer;
  #shape: Shape;
  #launch: Launch;
  #count: number;
  #latest: Rung | undefined;
  #number = 0;
  #launches = 0;
  #disposed = false;

  /** Throws a BindingError, a DeviceError. */
  constructor(parts: ResidentParts, binding: Binding, { idleMicroseconds = 200 }: ResidentOptions = {}) {
    this.#parts = parts;
    this.#idleNs = Math.min(idleMicroseconds * 1000, 2 ** 31);
    this.#bound = this.#transferOf(binding);
    this.#count = binding.count;
    this.#shape = this.#shapeOf(this.#bound);
    const { context } = parts;
    this.#mailbox = withDeviceErrors(() => new Mailbox(context));
    this.#stream = withDeviceErrors(() => context.stream({ priority: "high" }));
    this.#launch = withDeviceErrors(() => this.#load());
  }

  /** Moves what is bound, once the ring before is answered; the completion is polled in memory. */
  ring(): Completion {
    if (this.#disposed) throw new DisposedError("resident pack");
    this.#latest?.wait();
    this.#number = (this.#number % LAST_NUMBER) + 1;
    const { box, packedAddress, first, scatteredAddress } = this.#bound;
    this.#mailbox.ring(this.#number, packedAddress + first, scatteredAddress + box.startBytes);
    if (this.#hasLeft) this.#enter();
    this.#latest = new Rung(this, this.#number);
    return this.#latest;
  }

  /** Other memory of the same range and alignment costs nothing; else the kernel leaves, and another comes. */
  rebind(binding: Binding): void {
    if (this.#disposed) throw new DisposedError("resident pack");
    const bound = this.#transferOf(binding);
    const shape = this.#shapeOf(bound);
    const isSameRange = bound.first === this.#bound.first && bound.length === this.#bound.length;
    const changes = !isSameRange || binding.count !== this.#count || shape.wordBytes !== this.#shape.wordBytes;
    this.#latest?.wait();
    if (changes) this.#leave();
    this.#bound = bound;
    this.#count = binding.count;
    this.#shape = shape;
    if (changes) this.#launch = withDeviceErrors(() => this.#load());
  }

  /** Whether the bell of this number was answered; brings the kernel back where it left before it heard. */
  isDone(number: number, polls: number): boolean {
    if (this.#mailbox.done === number) return true;
    if (polls % POLLS_A_QUESTION !== 0) return false;
    try {
      const idle = this.#stream.query();
      if (this.#mailbox.done === number) return true;
      if (idle) this.#enter();
    } catch (error) {
      throw asDeviceError(error);
    }
    return false;
  }

  /** Returns when what was rung for is there, and the kernel has left. */
  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#latest?.wait();
    this.#disposed = true;
    this.#leave();
    withDeviceErrors(() => [this.#stream, this.#mailbox].forEach((held) => held[Symbol.dispose]()));
  }

  get #hasLeft(): boolean {
    return this.#launches === this.#mailbox.left;
  }

  /** `done` is what it takes for heard already. */
  #enter(): void {
    this.#launches++;
    this.#launch.setWord(0, this.#mailbox.address);
    this.#launch.parameters.setUint32(8, this.#mailbox.done, true);
    this.#launch.parameters.setUint32(12, this.#launches, true);
    this.#launch.parameters.setUint32(16, this.#idleNs, true);
    withDeviceErrors(() => this.#launch.run(this.#stream));
  }

  #leave(): void {
    if (!this.#hasLeft) this.#mailbox.ring(LEAVE, 0, 0);
    withDeviceErrors(() => this.#stream.synchronize());
  }

  #load(): Launch {
    const [transfer, shape] = [this.#bound, this.#shape];
    const record = new DataView(new ArrayBuffer(recordBytesOf(shape)));
    writeRecord(record, 0, transfer, shape, { firstTile: 0, shapeIndex: 0 });
    const kernel = residentKernel(shape, record, tilesOf(transfer, shape, RESIDENT_THREADS));
    const shapeOfLaunch = { grid: { x: 1 }, block: { x: RESIDENT_THREADS } };
    return this.#parts.context.kernel(kernel).launch(20, shapeOfLaunch);
  }

  #shapeOf(transfer: Transfer): Shape {
    const { context, move } = this.#parts;
    // One block: loads in flight matter, not what L2 keeps; and no transposes, whose tiles are of another size.
    const device = { ...context.device, multiprocessors: 1, l2Bytes: Infinity };
    const { along: _, ...shape } = shapeOf(transfer, move.direction, device);
    return { ...shape, resident: true };
  }

  #transferOf(binding: Binding): Transfer {
    const { move, moves, conditions } = this.#parts;
    checkBindings(moves, [binding], conditions);
    const [transfer, another] = transfersOf(move, 0, binding);
    if (transfer !== undefined && another === undefined) return transfer;
    throw new BindingError("memory of a resident pack", "one buffer a side, and a byte to move", "several, or none");
  }
}

class Rung implements Completion {
  readonly #pack: ResidentPack;
  readonly #number: number;
  #polls = 0;
  #over = false;

  constructor(pack: ResidentPack, number: number) {
    this.#pack = pack;
    this.#number = number;
  }

  poll(): boolean {
    if (!this.#over) this.#over = this.#pack.isDone(this.#number, ++this.#polls);
    return this.#over;
  }

  wait(): void {
    while (!this.poll());
  }
}
