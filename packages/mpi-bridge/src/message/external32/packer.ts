import { quoted } from "@stowage/ir";
import type { Message } from "../place/message.js";
import { pack, unpack } from "../place/pack.js";
import type { Placed } from "../place/placed.js";
import { BridgeError } from "../../errors.js";
import type { Context } from "../context.js";
import { decode, encode, externalSize } from "./stage.js";

/** The one data representation that there is beside the machine's own (MPI 4.1, section 5.3). */
export type Representation = "external32";

/**
 * Moves elements into a buffer of packed bytes and out of it, one message after another: each call takes the position
 * to begin at, in bytes, and returns the one behind what it moved (MPI_Pack and MPI_Unpack, MPI 4.1, section 5.2;
 * MPI_Pack_external, section 5.3). Each call throws a BridgeError where the packed buffer has too few bytes from that
 * position on.
 *
 * @example
 * ```typescript
 * const packed = new Uint8Array(mpi.packer.packSize(column) + mpi.packer.packSize(flags));
 * const position = mpi.packer.pack(column, packed);
 * mpi.packer.pack(flags, packed, position);
 * ```
 */
export class Packer {
  readonly #context: Context;

  /** @internal */
  constructor(context: Context) {
    this.#context = context;
  }

  /** The number of bytes that a message packs to (MPI_Pack_size). */
  packSize(message: Message): number {
    return this.#place(message).sizeBytes;
  }

  /** Packs a message from `position` on (MPI_Pack). Returns the position behind it. */
  pack(message: Message, packed: Uint8Array, position = 0): number {
    const placed = this.#place(message);
    const { type, buffer, originBytes, count } = placed;
    const into = part(packed, position, placed.sizeBytes);
    if (into.length > 0) pack(type, { memory: buffer, originBytes }, into, { count }).wait();
    return position + placed.sizeBytes;
  }

  /** Unpacks a message that begins at `position` (MPI_Unpack). Returns the position behind it. */
  unpack(packed: Uint8Array, position: number, message: Message): number {
    const placed = this.#place(message);
    const { type, buffer, originBytes, count } = placed;
    const from = part(packed, position, placed.sizeBytes);
    if (from.length > 0) unpack(type, from, { memory: buffer, originBytes }, { count }).wait();
    return position + placed.sizeBytes;
  }

  /** The number of bytes that a message takes in that representation (MPI_Pack_external_size). */
  packExternalSize(representation: Representation, message: Message): number {
    requireExternal32(representation);
    const { type, count } = this.#place(message);
    return count * externalSize(type.signature);
  }

  /** Packs a message in external32: big-endian, of sizes that no machine decides (MPI_Pack_external). */
  packExternal(representation: Representation, message: Message, packed: Uint8Array, position = 0): number {
    const placed = this.#place(message);
    const bytes = this.packExternalSize(representation, message);
    const into = part(packed, position, bytes);
    this.#staged(placed, (stream) => {
      this.pack(message, stream);
      encode(placed.type.signature, placed.count, stream, into);
    });
    return position + bytes;
  }

  /**
   * Unpacks a message in external32 that begins at `position` (MPI_Unpack_external). Returns the position behind it.
   */
  unpackExternal(representation: Representation, packed: Uint8Array, position: number, message: Message): number {
    const placed = this.#place(message);
    const bytes = this.packExternalSize(representation, message);
    const from = part(packed, position, bytes);
    this.#staged(placed, (stream) => {
      decode(placed.type.signature, placed.count, from, stream);
      this.unpack(stream, 0, message);
    });
    return position + bytes;
  }

  #place(message: Message): Placed {
    return this.#context.places.of(message);
  }

  #staged({ sizeBytes }: Placed, work: (stream: Uint8Array) => void): void {
    const { staging } = this.#context;
    const buffer = staging.take(sizeBytes);
    try {
      work(buffer.bytes.subarray(0, sizeBytes));
    } finally {
      staging.give(buffer);
    }
  }
}

function part(packed: Uint8Array, position: number, bytes: number): Uint8Array {
  if (!(packed instanceof Uint8Array)) throw new BridgeError("packed buffer", "a Uint8Array", quoted(packed));
  if (Number.isSafeInteger(position) && position >= 0 && position + bytes <= packed.length) {
    return packed.subarray(position, position + bytes);
  }
  const expected = `${bytes} bytes from position ${quoted(position)} within ${packed.length}`;
  throw new BridgeError("packed buffer", expected, "fewer");
}

function requireExternal32(representation: Representation): void {
  if (representation === "external32") return;
  throw new BridgeError("data representation", "external32", quoted(representation));
}
