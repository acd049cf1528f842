import { predefined } from "@stowage/ir";
import { predefinedHandle, type MpiDatatype } from "@stowage/mpi-abi";
import type { Completion } from "@stowage/backend-api";
import { APART_BYTES, type ApartTypes } from "../datatype/apart-types.js";
import { largeDatatype, MOST_INT } from "../datatype/large-datatype.js";
import { exportDatatype, type Mpi } from "@stowage/mpi-abi";
import type { Placed } from "./placed.js";
import { pack, unpack } from "./pack.js";
import type { Way } from "./way.js";
import type { Staging, StagingBuffer } from "./staging.js";

/**
 * The memory, count and type that MPI sees of a message, and what is held until it is over: the elements themselves,
 * their type, and a staging buffer where our engine packs. A packed message is MPI_PACKED, which matches any type (MPI
 * 4.1, section 5.2).
 */
export class Transfer {
  readonly placed: Placed;
  readonly way: Way;
  readonly address: number;
  readonly count: number;
  readonly handle: number;
  readonly #staging: Staging;
  readonly #packed: StagingBuffer | undefined;
  readonly #large: MpiDatatype | undefined;
  readonly #isCopied: boolean;

  constructor(mpi: Mpi, placed: Placed, way: Way, staging: Staging, apartTypes?: ApartTypes) {
    const { type, count } = placed;
    this.placed = placed;
    this.way = way;
    this.#staging = placed.device?.stagingFor(way) ?? staging;
    type.hold();
    const isPacked = way !== "direct" && way !== "native";
    const gapBytes = placed.device === undefined ? APART_BYTES : 0;
    this.#isCopied = way === "copied";
    const packed = isPacked ? this.#staging.take(placed.sizeBytes + gapBytes) : undefined;
    this.#packed = packed;
    this.address = packed?.address ?? placed.address;
    const isBytes = packed !== undefined && !this.#isCopied;
    const items = isBytes ? placed.sizeBytes : count * (type.direct?.perElement ?? 1);
    this.#large = items > MOST_INT ? largeOf(mpi, placed, isBytes) : undefined;
    const apart = way === "apart" ? apartTypes?.handleOf(placed.sizeBytes) : undefined;
    this.count = this.#large === undefined && apart === undefined ? items : 1;
    this.handle =
      this.#large?.handle ??
      apart ??
      (isBytes ? predefinedHandle(mpi, "MPI_PACKED") : (type.direct?.handle ?? type.native));
  }

  /** Elements that the MPI itself works on; none where it works on staging. */
  get seen(): readonly Placed[] {
    return this.#packed === undefined ? [this.placed] : [];
  }

  /** Staging of the host, where our engine packs; it may be longer than the message. */
  get packedBytes(): Uint8Array | undefined {
    return this.way === "device" ? undefined : this.#packed?.bytes;
  }

  /** Packs what is sent, where our engine packs. */
  pack(): Completion | undefined {
    if (this.#packed === undefined) return undefined;
    const { type, buffer, originBytes, count } = this.placed;
    const done = pack(type, { memory: buffer, originBytes }, this.#packed.memory, { count });
    if (this.way !== "apart") return done;
    done.wait();
    this.#moveLast(this.placed.sizeBytes - APART_BYTES, this.placed.sizeBytes);
    return done;
  }

  #moveLast(from: number, to: number): void {
    this.packedBytes?.copyWithin(to, from, from + APART_BYTES);
  }

  /** Unpacks what has arrived: so many bytes, however many were posted. */
  unpack(arrivedBytes: number): Completion | undefined {
    if (this.#packed === undefined || arrivedBytes === 0) return undefined;
    const { type, buffer, originBytes, count, sizeBytes } = this.placed;
    if (this.way === "apart") this.#moveLast(sizeBytes, sizeBytes - APART_BYTES);
    const range = { count, first: 0, length: arrivedBytes };
    return unpack(type, this.#packed.memory, { memory: buffer, originBytes }, range);
  }

  #released = false;

  /** The message is over: staging serves the next one. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    if (this.#packed !== undefined) this.#staging.give(this.#packed);
    this.#large?.[Symbol.dispose]();
    this.placed.type.release();
  }
}

function largeOf(mpi: Mpi, { type, count, sizeBytes }: Placed, isPacked: boolean): MpiDatatype {
  return isPacked ? exportDatatype(mpi, largeDatatype(predefined("MPI_PACKED"), 1, sizeBytes)) : type.large(count);
}
