import { predefined } from "@stowage/ir";
import { predefinedHandle, type MpiDatatype } from "@stowage/mpi-abi";
import type { Completion } from "@stowage/backend-api";
import { GAP_BYTES } from "../datatype/gapped-types.js";
import { largeDatatype, MOST_INT } from "../datatype/large-datatype.js";
import { exportDatatype, type Mpi } from "@stowage/mpi-abi";
import type { Context } from "../context.js";
import { isThere, type Placed } from "./placed.js";
import { pack, unpack } from "./pack.js";
import type { Shown } from "./shown.js";
import type { Staging, StagingBuffer } from "./staging.js";

/**
 * The memory, count and type that MPI sees of a message, and what is held until it is over: the elements themselves,
 * their type, and a staging buffer where our engine packs. A packed message is MPI_PACKED, which matches any type (MPI
 * 4.1, section 5.2).
 */
export class Transfer {
  readonly placed: Placed;
  readonly shown: Shown;
  readonly address: number;
  readonly count: number;
  readonly handle: number;
  readonly #staging: Staging;
  readonly #packed: StagingBuffer | undefined;
  readonly #large: MpiDatatype | undefined;
  readonly #isCopied: boolean;

  constructor({ native: { mpi }, staging, gappedTypes }: Context, placed: Placed, shown: Shown) {
    const { type, count } = placed;
    this.placed = placed;
    this.shown = shown;
    this.#staging = placed.device?.stagingFor(shown) ?? staging;
    type.hold();
    const isStaged = shown !== "native";
    const gapBytes = placed.device === undefined ? GAP_BYTES : 0;
    this.#isCopied = shown === "copied";
    const packed = isStaged ? this.#staging.take(placed.sizeBytes + gapBytes) : undefined;
    this.#packed = packed;
    this.address = packed?.address ?? placed.address;
    const isBytes = packed !== undefined && !this.#isCopied;
    const items = isBytes ? placed.sizeBytes : count * (type.dense?.perElement ?? 1);
    this.#large = items > MOST_INT ? largeOf(mpi, placed, isBytes) : undefined;
    const gapped = shown === "gapped" ? gappedTypes.handleOf(placed.sizeBytes) : undefined;
    this.count = this.#large === undefined && gapped === undefined ? items : 1;
    this.handle =
      this.#large?.handle ??
      gapped ??
      (isBytes ? predefinedHandle(mpi, "MPI_PACKED") : (type.dense?.handle ?? type.native));
  }

  /** Whether what the MPI itself works on is still there: staging is. */
  get isThere(): boolean {
    return this.#packed !== undefined || isThere(this.placed);
  }

  /** Staging of the host, where our engine packs; it may be longer than the message. */
  get packedBytes(): Uint8Array | undefined {
    return this.shown === "device" ? undefined : this.#packed?.bytes;
  }

  /** Packs what is sent, where our engine packs. */
  pack(): Completion | undefined {
    if (this.#packed === undefined) return undefined;
    const { type, buffer, originBytes, count } = this.placed;
    const done = pack(type, { memory: buffer, originBytes }, this.#packed.memory, { count });
    if (this.shown !== "gapped") return done;
    done.wait();
    this.#moveLast(this.placed.sizeBytes - GAP_BYTES, this.placed.sizeBytes);
    return done;
  }

  #moveLast(from: number, to: number): void {
    this.packedBytes?.copyWithin(to, from, from + GAP_BYTES);
  }

  /** Unpacks what has arrived: so many bytes, however many were posted. */
  unpack(arrivedBytes: number): Completion | undefined {
    if (this.#packed === undefined || arrivedBytes === 0) return undefined;
    const { type, buffer, originBytes, count, sizeBytes } = this.placed;
    if (this.shown === "gapped") this.#moveLast(sizeBytes, sizeBytes - GAP_BYTES);
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

/** Of several messages, each shown alike. */
export function transfersOf(
  context: Context,
  messages: readonly { readonly placed: Placed }[],
  shown: Shown,
): readonly Transfer[] {
  const transfers: Transfer[] = [];
  for (const { placed } of messages) transfers.push(new Transfer(context, placed, shown));
  return transfers;
}
