import {
  DeviceError,
  type Binding,
  type Buffer,
  type Kernel,
  type Move,
  type Plan,
  type Queue,
  type Span,
} from "@stowage/backend-api";
import { copyBytes, type Context, type StreamHandle } from "@stowage/cuda-driver";
import type { Capturable } from "@stowage/cuda-plans";
import type { Chunk, Piece } from "./chunks.js";
import { fromPageable, toPageable, type HostCopy } from "./host-bytes.js";
import type { StagingBuffer } from "./pool/staging-buffer.js";
import { packedBuffer, restaged, type Side } from "./sides.js";

/** Nothing of a move takes part in a chunk. */
const NOTHING = { first: 0, length: 0 };

/** One chunk of a route: the packer's plan between the device's data and a staging buffer, and the copies beyond it. */
export class StagedChunk implements Disposable {
  readonly #chunk: Chunk;
  readonly #context: Context;
  readonly #moves: readonly Move[];
  readonly #side: Side;
  readonly #kernel: Kernel;
  readonly #rangeOf: ReadonlyMap<number, Piece>;
  #bindings: readonly Binding[];
  #plan: Plan | undefined;
  #boundTo: StagingBuffer | undefined;

  constructor(
    chunk: Chunk,
    bindings: readonly Binding[],
    parts: { readonly context: Context; readonly moves: readonly Move[]; readonly side: Side; readonly kernel: Kernel },
  ) {
    this.#chunk = chunk;
    this.#bindings = bindings;
    this.#context = parts.context;
    this.#moves = parts.moves;
    this.#side = parts.side;
    this.#kernel = parts.kernel;
    this.#rangeOf = new Map(chunk.pieces.map((piece) => [piece.move, piece]));
  }

  /** Other memory of the same ranges. */
  rebind(bindings: readonly Binding[], move: number): void {
    this.#bindings = bindings;
    if (this.#boundTo === undefined || !this.#rangeOf.has(move)) return;
    // The pool may have freed it since, to make room: the plan is made anew for the next one.
    if (this.#boundTo.memory.disposed) this[Symbol.dispose]();
    else this.#plan?.rebind(move, this.#staged(move, this.#boundTo));
  }

  /** Prepares the packer for this buffer: a plan, the first time. */
  bind(buffer: StagingBuffer): Plan {
    if (this.#plan === undefined) {
      this.#plan = this.#kernel.bind(this.#moves.map((_, i) => this.#staged(i, buffer)));
    } else if (this.#boundTo !== buffer) {
      for (const move of this.#rangeOf.keys()) this.#plan.rebind(move, this.#staged(move, buffer));
    }
    this.#boundTo = buffer;
    return this.#plan;
  }

  /** Packs into the buffer, or unpacks from it. */
  pack(buffer: StagingBuffer, queue: Queue | undefined): void {
    this.bind(buffer).run(queue);
  }

  /** Makes the packer ready for sendCaptured. Throws a DeviceError where its plans cannot be captured. */
  readyForCapture(buffer: StagingBuffer): void {
    const plan = capturable(this.bind(buffer));
    plan.readyForCapture();
    plan.settle();
  }

  packCaptured(buffer: StagingBuffer, queue: StreamHandle): void {
    capturable(this.bind(buffer)).sendCaptured(queue);
  }

  /** Over the bus, between the device's buffer and pinned memory: the user's own, or a buffer of ours. */
  copy(device: StagingBuffer, pinned: StagingBuffer | undefined, stream: StreamHandle): void {
    for (const { place, stagedBytes, length } of pinned === undefined ? this.#joined() : [this.#whole(pinned)]) {
      const onDevice = device.address + stagedBytes;
      const [to, from] = this.#side === "target" ? [place, onDevice] : [onDevice, place];
      copyBytes(this.#context, to, from, length).run(stream);
    }
  }

  /** Between a pinned buffer and the user's pageable memory. */
  copyOnHost(staged: StagingBuffer): void {
    for (const piece of this.#chunk.pieces) {
      const { buffer, originBytes } = this.#placeOf(piece);
      const { first, stagedBytes, length } = piece;
      const copy: HostCopy = { pageable: buffer, offsetBytes: originBytes + first, staged, stagedBytes, length };
      if (this.#side === "target") toPageable(this.#context, copy);
      else fromPageable(this.#context, copy);
    }
  }

  [Symbol.dispose](): void {
    this.#plan?.[Symbol.dispose]();
    this.#plan = undefined;
    this.#boundTo = undefined;
  }

  #staged(move: number, { memory }: StagingBuffer): Binding {
    const piece = this.#rangeOf.get(move);
    const { first, length } = piece ?? NOTHING;
    const originBytes = piece === undefined ? 0 : piece.stagedBytes - first;
    const { kind, sizeBytes, address, device } = memory;
    const packed: Span = { memory: { kind, sizeBytes, address, device }, originBytes };
    return restaged(this.#bindings[move] as Binding, this.#side, packed, { first, length });
  }

  #placeOf({ move, first, length }: Piece): { readonly buffer: Buffer; readonly originBytes: number } {
    const binding = this.#bindings[move] as Binding;
    return packedBuffer(this.#moves[move] as Move, this.#side, { ...binding, first, length });
  }

  #whole(pinned: StagingBuffer): Placed {
    const [first] = this.#chunk.pieces;
    const stagedBytes = first?.stagedBytes ?? 0;
    return { place: pinned.address + stagedBytes, stagedBytes, length: this.#chunk.sizeBytes - stagedBytes };
  }

  /** Pieces that lie together on both sides, as one. */
  #joined(): readonly Placed[] {
    const joined: Placed[] = [];
    for (const piece of this.#chunk.pieces) {
      const { buffer, originBytes } = this.#placeOf(piece);
      const place = (buffer.address ?? 0) + originBytes + piece.first;
      const last = joined.at(-1);
      const follows =
        last !== undefined &&
        last.place + last.length === place &&
        last.stagedBytes + last.length === piece.stagedBytes;
      if (follows) joined[joined.length - 1] = { ...last, length: last.length + piece.length };
      else joined.push({ place, stagedBytes: piece.stagedBytes, length: piece.length });
    }
    return joined;
  }
}

function capturable(plan: Plan): Plan & Capturable {
  if ("sendCaptured" in plan) return plan as Plan & Capturable;
  throw new DeviceError("packer of a route: expected one whose plans can be captured, got another");
}

/** Bytes of the user's memory, and where a staging buffer has them. */
interface Placed {
  readonly place: number;
  readonly stagedBytes: number;
  readonly length: number;
}
