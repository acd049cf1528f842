import { SharedMemory } from "../../../native/shared-memory.js";
import {
  DATA_END,
  DATA_START,
  piecesOf,
  RING_BYTES,
  RING_PIECES,
  Segment,
  SEGMENT_BYTES,
  SLOTS,
  type Place,
} from "./segment.js";

/** What a message has of the arena until its receiver has read it. */
export interface Held extends Place {
  readonly pieces: number;
  readonly endBytes: number;
  /** Whether its receiver is there. */
  readonly isReaderAlive: () => boolean;
}

const PAGE_BYTES = 4096;

/** The segment that this process writes: which messages have which part of it. */
export class Arena implements Disposable {
  readonly memory: SharedMemory;
  readonly segment: Segment;
  readonly #held = new Map<number, Held>();
  #turn = 0;

  /** Throws a BridgeError where there is no memory to share. */
  constructor(memory = SharedMemory.make(SEGMENT_BYTES)) {
    this.memory = memory;
    this.segment = new Segment(memory);
  }

  /** Room for a message; undefined where there is none now. */
  take(sizeBytes: number, isReaderAlive: () => boolean): Held | undefined {
    const ringBytes = Math.min(Math.ceil(sizeBytes / PAGE_BYTES) * PAGE_BYTES, RING_BYTES);
    this.#sweep((held) => this.#isRead(held));
    let startBytes = this.#place(ringBytes);
    if (startBytes === undefined) {
      this.#sweep((held) => !held.isReaderAlive());
      startBytes = this.#place(ringBytes);
    }
    if (startBytes === undefined) return undefined;
    let slot = 0;
    while (this.#held.has(slot)) slot++;
    const pieces = piecesOf(sizeBytes);
    const held: Held = {
      ...{ slot, turn: (this.#turn = (this.#turn + 1) | 0), startBytes, endBytes: startBytes + ringBytes, pieces },
      ...{ ringPieces: Math.min(pieces, RING_PIECES), isReaderAlive },
    };
    this.segment.begin(held);
    this.#held.set(slot, held);
    return held;
  }

  /** Whether the message still has its part: where its receiver has ended another may have it. */
  has(held: Held): boolean {
    return this.#held.get(held.slot) === held;
  }

  /** Its receiver will never hear of the message. */
  give({ slot }: Place): void {
    this.#held.delete(slot);
  }

  /** Messages that have part of it: of those that were read some may be among them. */
  get heldCount(): number {
    return this.#held.size;
  }

  [Symbol.dispose](): void {
    this.#held.clear();
    this.segment[Symbol.dispose]();
  }

  /** A receiver may let go of what is still being packed. */
  #isRead(held: Held): boolean {
    return this.segment.takenOf(held) === held.pieces && (this.segment.packedOf(held) ?? held.pieces) === held.pieces;
  }

  #sweep(isOver: (held: Held) => boolean): void {
    for (const held of this.#held.values()) if (isOver(held)) this.#held.delete(held.slot);
  }

  /** The lowest place, which was used last: it is in a cache. Undefined: there is none. */
  #place(ringBytes: number): number | undefined {
    if (this.#held.size >= SLOTS) return undefined;
    const all = [...this.#held.values()].sort((a, b) => a.startBytes - b.startBytes);
    let start = DATA_START;
    for (const { startBytes, endBytes } of all) {
      if (start + ringBytes <= startBytes) break;
      start = endBytes;
    }
    return start + ringBytes <= DATA_END ? start : undefined;
  }
}
