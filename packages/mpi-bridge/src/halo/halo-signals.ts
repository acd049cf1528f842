import type { Communicator } from "../communicator/communicator.js";
import { BridgeError } from "../errors.js";

const [WELL, FAILED] = [1, 2];

/** One thing that each neighbour tells each in every exchange. */
export class HaloSignals implements Disposable {
  readonly #comm: Communicator;
  readonly #neighbours: readonly number[];
  readonly #told: Uint8Array;
  readonly #said: Uint8Array;
  readonly #receives: ReturnType<Communicator["recvInit"]>[];
  readonly #sends: ReturnType<Communicator["sendInit"]>[];

  constructor(comm: Communicator, neighbours: readonly number[], tag: number) {
    this.#comm = comm;
    this.#neighbours = neighbours;
    [this.#told, this.#said] = [new Uint8Array(neighbours.length), new Uint8Array(1)];
    this.#receives = neighbours.map((rank, i) => comm.recvInit(this.#told.subarray(i, i + 1), rank, { tag }));
    this.#sends = neighbours.map((rank) => comm.sendInit(this.#said, rank, { tag }));
  }

  /** Before any of it may come. */
  expect(): void {
    for (const request of this.#receives) request.start();
  }

  /** That all is well, or that this rank has failed. */
  give(isWell = true): void {
    this.#said[0] = isWell ? WELL : FAILED;
    for (const request of this.#sends) request.start();
  }

  /** Whether all neighbours have told; throws as `wait` does. */
  areHere(): boolean {
    if (!this.#receives.every((request) => !request.isActive || request.test() !== undefined)) return false;
    this.#requireWell();
    return true;
  }

  /** Returns once all have told, and heard. Throws a BridgeError where one has failed. */
  wait(): void {
    this.settle();
    this.#requireWell();
  }

  /** Whatever they told. */
  settle(): void {
    const { timeoutMs } = this.#comm.settings;
    for (const request of [...this.#receives, ...this.#sends]) if (request.isActive) request.wait({ timeoutMs });
  }

  [Symbol.dispose](): void {
    for (const request of [...this.#receives, ...this.#sends]) request.free();
  }

  #requireWell(): void {
    const failed = this.#told.indexOf(FAILED);
    if (failed < 0) return;
    throw new BridgeError("halo exchange", `the points of rank ${this.#neighbours[failed]}`, "an error of its GPU");
  }
}
