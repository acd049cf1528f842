import { BridgeError } from "../../errors.js";
import type { PersistentRequest } from "../../message/requests/persistent-request.js";
import type { BoundRanks } from "./bound-regions.js";

const [WELL, FAILED] = [1, 2];

/** One thing that each peer tells each in every exchange. */
export class Signals implements Disposable {
  readonly #subject: string;
  readonly #ranks: BoundRanks;
  readonly #peers: readonly number[];
  readonly #told: Uint8Array;
  readonly #said: Uint8Array;
  readonly #receives: PersistentRequest[];
  readonly #sends: PersistentRequest[];

  constructor(subject: string, ranks: BoundRanks, peers: readonly number[], tag: number) {
    this.#subject = subject;
    this.#ranks = ranks;
    this.#peers = peers;
    [this.#told, this.#said] = [new Uint8Array(peers.length), new Uint8Array(1)];
    this.#receives = peers.map((rank, i) => ranks.recvInit(this.#told.subarray(i, i + 1), rank, { tag }));
    this.#sends = peers.map((rank) => ranks.sendInit(this.#said, rank, { tag }));
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

  /** Whether all peers have told; throws as `wait` does. */
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
    const { timeoutMs } = this.#ranks.settings;
    for (const request of [...this.#receives, ...this.#sends]) if (request.isActive) request.wait({ timeoutMs });
  }

  [Symbol.dispose](): void {
    for (const request of [...this.#receives, ...this.#sends]) request.free();
  }

  #requireWell(): void {
    const failed = this.#told.indexOf(FAILED);
    if (failed < 0) return;
    throw new BridgeError(this.#subject, `the elements of rank ${this.#peers[failed]}`, "an error of its GPU");
  }
}
