import { hostMemory, reachOf, type Span } from "@stowage/backend-api";
import { predefinedHandle } from "@stowage/mpi-abi";
import type { Communicator } from "../communicator/communicator.js";
import { addressOf } from "../native/words.js";
import { exchangeBytes } from "../communicator/exchange-bytes.js";
import type { Context } from "../message/context.js";
import { agreeOnFailure, failureOf } from "./agree.js";
import type { NativeFile } from "./native-file.js";
import { bytesBefore, fileOffset, type View } from "./view.js";

/**
 * Bytes of a view that one rank moves: [first, first + length) of its stream, and where in the file they begin and end.
 */
interface Share {
  readonly view: View;
  readonly first: number;
  readonly length: number;
  readonly beginBytes: number;
  readonly endBytes: number;
}

/** What of a share lies in one stripe. */
interface Slice {
  readonly share: Share;
  readonly first: number;
  readonly length: number;
}

const PAGE_BYTES = 4096;

/**
 * Collective transfers by whole stripes of the file (two-phase I/O: Thakur, Gropp, Lusk 1999): each rank packs what it
 * has, each stripe is put together, or taken apart, by one rank through the views of all, and moved in one piece.
 */
export class Stripes {
  readonly #context: Context;
  readonly #comm: Communicator;
  readonly #file: NativeFile;
  readonly #path: string;
  readonly #stripeBytes: number;

  constructor(context: Context, comm: Communicator, file: NativeFile, path: string, stripeBytes: number) {
    this.#context = context;
    this.#comm = comm;
    this.#file = file;
    this.#path = path;
    this.#stripeBytes = stripeBytes;
  }

  /** All ranks call it, each with its own bytes for [first, ...) of its view. */
  write(views: readonly View[], first: number, stream: Uint8Array): void {
    this.#eachRound(views, first, stream.length, (own, slices, [low, high]) => {
      const { rank } = this.#comm;
      const out = own.map(({ first: from, length }) => [stream.subarray(from - first, from - first + length)]);
      const arrived = exchangeBytes(this.#comm, out);
      const error = failureOf(() => this.#writeStripe(slices, arrived, low, high));
      agreeOnFailure(this.#comm, `write of ${this.#path}`, error);
      return rank;
    });
  }

  /**
   * All ranks call it, each for its own bytes [first, ...) of its view. What lies behind the end of the file stays as
   * it was.
   */
  read(views: readonly View[], first: number, stream: Uint8Array): void {
    this.#eachRound(views, first, stream.length, (own, slices, [low, high]) => {
      let parts: readonly (readonly Uint8Array[])[] = slices.map(({ length }) => [new Uint8Array(length)]);
      const error = failureOf(() => {
        parts = this.#readStripe(slices, low, high);
      });
      agreeOnFailure(this.#comm, `read of ${this.#path}`, error);
      const arrived = exchangeBytes(this.#comm, parts);
      own.forEach(({ first: from }, rank) => stream.set(arrived[rank] as Uint8Array, from - first));
    });
  }

  /**
   * Rounds of one stripe a rank: what of this rank's share lies in each rank's stripe, and what of each rank's in this
   * one's.
   */
  #eachRound(
    views: readonly View[],
    first: number,
    length: number,
    round: (own: readonly Slice[], slices: readonly Slice[], stripe: readonly [number, number]) => void,
  ): void {
    const { rank, size } = this.#comm;
    const shares = this.#sharesOf(views, first, length);
    const used = shares.filter((share) => share.length > 0);
    if (used.length === 0) return;
    const begin = Math.floor(Math.min(...used.map((share) => share.beginBytes)) / PAGE_BYTES) * PAGE_BYTES;
    const end = Math.max(...used.map((share) => share.endBytes));
    const even = Math.ceil((end - begin) / size / PAGE_BYTES) * PAGE_BYTES;
    const stripeBytes = Math.min(this.#stripeBytes, even);
    const stripeOf = (index: number): readonly [number, number] => [
      begin + index * stripeBytes,
      begin + (index + 1) * stripeBytes,
    ];
    for (let from = 0; begin + from * stripeBytes < end; from += size) {
      const own = Array.from({ length: size }, (_, i) => sliceOf(shares[rank] as Share, stripeOf(from + i)));
      const mine = stripeOf(from + rank);
      round(
        own,
        shares.map((share) => sliceOf(share, mine)),
        mine,
      );
    }
  }

  #sharesOf(views: readonly View[], first: number, length: number): readonly Share[] {
    const told = new Float64Array(2 * this.#comm.size);
    this.#comm.allgather(Float64Array.of(first, length), told);
    return views.map((view, rank) => {
      const [from, bytes] = [told[2 * rank] as number, told[2 * rank + 1] as number];
      if (bytes === 0) return { view, first: from, length: 0, beginBytes: 0, endBytes: 0 };
      const beginBytes = fileOffset(view, from);
      return { view, first: from, length: bytes, beginBytes, endBytes: fileOffset(view, from + bytes - 1) + 1 };
    });
  }

  /** Holes between what ranks write keep what the file has there. */
  #writeStripe(slices: readonly Slice[], parts: readonly Uint8Array[], low: number, high: number): void {
    const touched = touchedBy(slices);
    if (touched === undefined) return;
    const { begin, end } = touched;
    const stripe = new StripeBuffer(slices, low, high);
    const covered = slices.reduce((sum, { length }) => sum + length, 0);
    if (covered < end - begin) this.#move("MPI_File_read_at", begin, stripe.bytesAt(begin, end));
    slices.forEach((slice, i) => stripe.unpack(slice, parts[i] as Uint8Array));
    const bytes = stripe.bytesAt(begin, end);
    const written = this.#move("MPI_File_write_at", begin, bytes);
    if (written !== bytes.length)
      throw new Error(`write of ${this.#path}: expected ${bytes.length} bytes at ${begin}, got ${written}`);
  }

  #readStripe(slices: readonly Slice[], low: number, high: number): readonly (readonly Uint8Array[])[] {
    const touched = touchedBy(slices);
    if (touched === undefined) return slices.map(() => []);
    const stripe = new StripeBuffer(slices, low, high);
    this.#move("MPI_File_read_at", touched.begin, stripe.bytesAt(touched.begin, touched.end));
    return slices.map((slice) => [stripe.pack(slice)]);
  }

  #move(name: "MPI_File_read_at" | "MPI_File_write_at", offset: number, bytes: Uint8Array): number {
    const handle = predefinedHandle(this.#context.native.mpi, "MPI_BYTE");
    return this.#file.move(name, offset, { address: addressOf(bytes), count: bytes.length, handle });
  }
}

function sliceOf(share: Share, [low, high]: readonly [number, number]): Slice {
  const { view, first, length } = share;
  const before = length === 0 ? 0 : bytesBefore(view, first, length, low);
  const behind = length === 0 ? 0 : bytesBefore(view, first, length, high);
  return { share, first: first + before, length: behind - before };
}

/** From the first to the last byte that anybody moves. */
function touchedBy(slices: readonly Slice[]): { readonly begin: number; readonly end: number } | undefined {
  const used = slices.filter(({ length }) => length > 0);
  if (used.length === 0) return undefined;
  const begins = used.map(({ share: { view }, first }) => fileOffset(view, first));
  const ends = used.map(({ share: { view }, first, length }) => fileOffset(view, first + length - 1) + 1);
  return { begin: Math.min(...begins), end: Math.max(...ends) };
}

/**
 * Memory for one stripe, which reaches as far as the elements do that lie in it in part: no byte there is touched, and
 * the system backs none.
 */
class StripeBuffer {
  readonly #startBytes: number;
  readonly #bytes: Uint8Array;

  constructor(slices: readonly Slice[], low: number, high: number) {
    const reaches = slices.filter(({ length }) => length > 0).map(reachOfSlice);
    this.#startBytes = Math.min(low, ...reaches.map(({ lowBytes }) => lowBytes));
    this.#bytes = new Uint8Array(Math.max(high, ...reaches.map(({ highBytes }) => highBytes)) - this.#startBytes);
  }

  bytesAt(begin: number, end: number): Uint8Array {
    return this.#bytes.subarray(begin - this.#startBytes, end - this.#startBytes);
  }

  unpack(slice: Slice, packed: Uint8Array): void {
    if (slice.length === 0) return;
    const { committed } = slice.share.view.filetype;
    committed.unpack(streamSpan(packed, slice), this.#spanOf(slice), rangeOf(slice)).wait();
  }

  pack(slice: Slice): Uint8Array {
    const packed = new Uint8Array(slice.length);
    if (slice.length === 0) return packed;
    const { committed } = slice.share.view.filetype;
    committed.pack(this.#spanOf(slice), streamSpan(packed, slice), rangeOf(slice)).wait();
    return packed;
  }

  #spanOf({ share: { view } }: Slice): {
    readonly memory: ReturnType<typeof hostMemory>;
    readonly originBytes: number;
  } {
    return { memory: hostMemory(this.#bytes), originBytes: view.displacementBytes - this.#startBytes };
  }
}

/** A piece of the packed stream, which begins before it. */
const streamSpan = (piece: Uint8Array, { first }: Slice): Span => ({ memory: hostMemory(piece), originBytes: -first });

/** The range of the view's stream; its elements are counted as far as it goes. */
function rangeOf({ share, first, length }: Slice): {
  readonly count: number;
  readonly first: number;
  readonly length: number;
} {
  return { count: Math.ceil((first + length) / share.view.filetype.sizeBytes), first, length };
}

function reachOfSlice(slice: Slice): { readonly lowBytes: number; readonly highBytes: number } {
  const { view } = slice.share;
  const { lowBytes, highBytes } = reachOf(view.filetype.layout, rangeOf(slice));
  return { lowBytes: view.displacementBytes + lowBytes, highBytes: view.displacementBytes + highBytes };
}
