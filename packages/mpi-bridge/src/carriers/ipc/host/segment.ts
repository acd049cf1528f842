import { hostMemory } from "@stowage/backend-api";
import { BridgeError } from "../../../errors.js";
import type { SharedMemory } from "../../../native/shared-memory.js";
import { addressOf } from "../../../native/words.js";
import { Staging, type StagingBuffer } from "../../../message/place/staging.js";

/**
 * Bytes that are packed, told of and unpacked at a time: both sides are at work at once, and what one has written the
 * other finds in a cache.
 */
export const PIECE_BYTES = 64 * 1024;
/** Pieces of a message that lie in memory at once: a longer one goes round in them. */
export const RING_PIECES = 8;
export const RING_BYTES = RING_PIECES * PIECE_BYTES;
/** Messages that are in memory at once. */
export const SLOTS = 64;

/** What both sides write of a slot, each in cache lines of its own. */
const SLOT_WORDS = 64;
const [TURN, PACKED, TAKEN] = [0, 1, 32] as const;
/** In place of a number of pieces: the sender will write no more. */
const NEVER = -1;

const HEAD_BYTES = 4 * SLOTS * SLOT_WORDS;
const DATA_BYTES = 16 * 1024 * 1024;
/** Bytes of a segment: words of its slots, then pieces. */
export const SEGMENT_BYTES = HEAD_BYTES + DATA_BYTES;
/** Where pieces lie. */
export const [DATA_START, DATA_END] = [HEAD_BYTES, SEGMENT_BYTES] as const;

/** Where a message lies in its sender's segment, as its offer says. */
export interface Place {
  readonly slot: number;
  /** How often the slot was taken: what is said of another message is not of this one. */
  readonly turn: number;
  readonly startBytes: number;
  readonly ringPieces: number;
}

/** Memory of one process by which its messages go to others of the host: it writes pieces, they read them. */
export class Segment implements Disposable {
  readonly #memory: SharedMemory;
  #views: { readonly words: Int32Array; readonly pieces: StagingBuffer } | undefined;

  constructor(memory: SharedMemory) {
    const { bytes } = memory;
    this.#memory = memory;
    const shared = { sizeBytes: bytes.length, bytes, ints: new Int32Array(0), address: addressOf(bytes) };
    this.#views = {
      words: new Int32Array(bytes.buffer, bytes.byteOffset, HEAD_BYTES / 4),
      pieces: { ...shared, memory: hostMemory(bytes), home: NOWHERE },
    };
  }

  /** The whole of it, in which `startOf` finds a piece. Throws a BridgeError once it was let go of. */
  get pieces(): StagingBuffer {
    return this.#open.pieces;
  }

  /** Whether the process that writes it is there. */
  get isWriterAlive(): boolean {
    return this.#memory.isMakerAlive;
  }

  /** Another message has the slot: nothing of it is packed, or taken. */
  begin({ slot, turn }: Place): void {
    this.#set(slot, PACKED, 0);
    this.#set(slot, TAKEN, 0);
    this.#set(slot, TURN, turn);
  }

  /** Pieces that its writer has packed; undefined where it packs no more, or the slot is another message's. */
  packedOf({ slot, turn }: Place): number | undefined {
    const packed = this.#get(slot, PACKED);
    return packed === NEVER || this.#get(slot, TURN) !== turn ? undefined : packed;
  }

  setPacked({ slot }: Place, pieces: number): void {
    this.#set(slot, PACKED, pieces);
  }

  /** Its writer packs no more of it. */
  giveUp({ slot }: Place): void {
    this.#set(slot, PACKED, NEVER);
  }

  takenOf({ slot }: Place): number {
    return this.#get(slot, TAKEN);
  }

  /** So many pieces are read, or never will be. */
  setTaken({ slot, turn }: Place, pieces: number): void {
    if (this.#get(slot, TURN) === turn) this.#set(slot, TAKEN, pieces);
  }

  [Symbol.dispose](): void {
    this.#views = undefined;
    this.#memory[Symbol.dispose]();
  }

  get #open(): { readonly words: Int32Array; readonly pieces: StagingBuffer } {
    if (this.#views !== undefined) return this.#views;
    throw new BridgeError("shared memory of a message", "a running MPI", "one that was finalised");
  }

  #get(slot: number, word: number): number {
    return Atomics.load(this.#open.words, slot * SLOT_WORDS + word);
  }

  #set(slot: number, word: number, value: number): void {
    Atomics.store(this.#open.words, slot * SLOT_WORDS + word, value);
  }
}

/** A segment is nobody's staging. */
const NOWHERE = new Staging(() => {
  throw new BridgeError("staging", "memory of its own", "a segment");
});

export const piecesOf = (sizeBytes: number): number => Math.ceil(sizeBytes / PIECE_BYTES);

/** Where a piece of a message lies in the segment. */
export const startOf = ({ startBytes, ringPieces }: Place, piece: number): number =>
  startBytes + (piece % ringPieces) * PIECE_BYTES;
