import type { Placed } from "../../message/place/placed.js";
import type { StagingBuffer } from "../../message/place/staging.js";
import type { DeviceSide } from "../../message/devices/device-side.js";
import { lineOf } from "../../message/line-of.js";
import type { Channel } from "./channel.js";
import { Rehearsals, type Role } from "./rehearsals.js";

/** Staging that is kept ready, and of which size. */
const [SPARE, MOST_SPARE_BYTES] = [4, 2 ** 23];

/** The channels of NCCL from this rank's GPU to those of the others and back, of one communicator. */
export class Channels implements Disposable {
  readonly side: DeviceSide;
  /** Why a rank's messages go otherwise, by rank. */
  readonly refusals = new Map<number, string>();
  readonly #out = new Map<number, Channel>();
  readonly #into = new Map<number, Channel>();
  /** In the order in which they were made, which is one of all pairs of ranks. */
  readonly #channels: Channel[] = [];
  /** Messages under way, and staging of those that are over: to free memory of a GPU waits for all that it does. */
  #underWay = 0;
  #released: StagingBuffer[] = [];
  readonly #rehearsals: Rehearsals;
  readonly #rank: number;

  constructor(side: DeviceSide, rank: number, pieceBytes: number) {
    this.#rehearsals = new Rehearsals(pieceBytes);
    this.side = side;
    this.#rank = rank;
  }

  /** From one rank to another, of which this is one. */
  add(from: number, to: number, channel: Channel): void {
    if (from === this.#rank) this.#out.set(to, channel);
    else this.#into.set(from, channel);
    this.#channels.push(channel);
  }

  to(rank: number): Channel | undefined {
    return this.refusals.has(rank) ? undefined : this.#out.get(rank);
  }

  from(rank: number): Channel | undefined {
    return this.refusals.has(rank) ? undefined : this.#into.get(rank);
  }

  /** Whether a message can begin while others are under way: nothing is allocated or loaded then. */
  isReadyFor(role: Role, placed: Placed, sizeBytes: number): boolean {
    if (this.#underWay === 0 || placed.type.dense !== undefined) return true;
    return this.#rehearsals.has(role, placed, sizeBytes) && this.side.onDevice.holds(placed.sizeBytes);
  }

  /** Staging of a message that begins; none where its elements lie side by side. */
  begin(role: Role, placed: Placed, sizeBytes: number): StagingBuffer | undefined {
    const staging = placed.type.dense === undefined ? this.#stagingFor(placed.sizeBytes) : undefined;
    if (staging !== undefined && !this.#rehearsals.has(role, placed, sizeBytes))
      this.#rehearsals.run(role, placed, sizeBytes, staging);
    this.#underWay++;
    return staging;
  }

  /** With some for messages that begin while this one is under way. */
  #stagingFor(bytes: number): StagingBuffer {
    const { onDevice } = this.side;
    if (this.#underWay === 0 && !onDevice.holds(bytes) && bytes <= MOST_SPARE_BYTES) {
      const spare = Array.from({ length: SPARE }, () => onDevice.take(bytes));
      for (const each of spare) onDevice.give(each);
    }
    return onDevice.take(bytes);
  }

  end(staging: StagingBuffer | undefined): void {
    if (staging !== undefined) this.#released.push(staging);
    if (--this.#underWay > 0) return;
    for (const each of this.#released) each.home.give(each);
    this.#released = [];
  }

  /** No more messages of NCCL to or from a rank; those under way end. */
  giveUp(rank: number, error: unknown): void {
    if (this.refusals.has(rank)) return;
    this.refusals.set(rank, lineOf(error));
    for (const channel of [this.#out.get(rank), this.#into.get(rank)]) channel?.abort();
  }

  /** At once, whatever the other ranks do. */
  abort(): void {
    this.#end((channel) => channel.abort());
  }

  /**
   * All ranks call it: to end a communicator of NCCL waits for its other rank, so that both must come to it in one
   * order.
   */
  [Symbol.dispose](): void {
    this.#end((channel) => channel[Symbol.dispose]());
  }

  #end(how: (channel: Channel) => void): void {
    this.#channels.splice(0).forEach(how);
    this.#out.clear();
    this.#into.clear();
  }
}
