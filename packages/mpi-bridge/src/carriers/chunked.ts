import { SUPPORTED, unsupported, type Support } from "@stowage/backend-api";
import { BridgeError } from "../errors.js";
import type { Context } from "../message/context.js";
import { packFigures } from "../message/datatype/pack-figures.js";
import { HOST_FORMS } from "../message/devices/device-forms.js";
import { isBytes, packRange } from "../message/place/move-range.js";
import { isOnHost, isThere } from "../message/place/placed.js";
import type { Staging } from "../message/place/staging.js";
import { Status } from "../message/requests/status.js";
import type { Addressed, MemberCarrier, Outgoing, Prediction, Sending } from "./carrier.js";
import { deviceForms, hostMessageNs, oneForm, predictForms } from "./figures.js";
import type { Fragment } from "./framed/fragment.js";
import { FRAME_BYTES, writeFrame } from "./framed/frame.js";
import { firstBytesOf } from "./framed/framing-options.js";
import type { Wire } from "./framed/wire.js";

/** Packed, through host memory, behind a frame: while chunks are under way the next one is packed. */
export class Chunked implements MemberCarrier {
  readonly name = "chunked";
  readonly receivers = "members";
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  supports(messages: readonly Outgoing[]): Support {
    const onDevice = messages.filter(({ placed }) => !isOnHost(placed) && placed.sizeBytes > 0);
    if (onDevice.length === 0 || deviceForms(this.#context, onDevice, HOST_FORMS).length > 0) return SUPPORTED;
    return unsupported("no backend packs it (stowage doctor says why)");
  }

  predict(messages: readonly Outgoing[]): Prediction {
    if (messages.some(({ placed }) => !isOnHost(placed)))
      return predictForms(this.#context, messages, HOST_FORMS, { onOneGpu: false });
    return oneForm(this.name, "ours", messages, ({ placed }) => {
      const isPacked = isOnHost(placed) && placed.type.dense === undefined && placed.sizeBytes > 0;
      const packNs = isPacked ? packFigures(this.#context, placed).packedNs : 0;
      return { packNs, messageNs: hostMessageNs(placed.sizeBytes + FRAME_BYTES) };
    });
  }

  begin(messages: readonly Addressed[], wire: Wire): readonly Sending[] {
    return messages.map((message) => new ChunkedSend(message, wire));
  }
}

/** A framed message on its way out. */
export class ChunkedSend implements Sending {
  readonly #message: Addressed;
  readonly #wire: Wire;
  #fragments: Fragment[] = [];
  #sentBytes: number;
  #error: unknown;

  /** Behind an offer all its bytes go as chunks: its receiver has had the frame. */
  constructor(message: Addressed, wire: Wire, isBehindOffer = false) {
    this.#message = message;
    this.#wire = wire;
    this.#sentBytes = isBehindOffer ? 0 : firstBytesOf(wire.options, message.placed.sizeBytes);
    if (!isBehindOffer) this.#fragments.push(this.#first());
  }

  /** Once MPI is done with all that was begun. */
  get isOver(): boolean {
    return this.#fragments.length === 0 && !this.#hasMore;
  }

  /** Its status once it is over; throws the error that ended it. */
  poll(): Status | undefined {
    if (!this.isOver) return undefined;
    if (this.#error !== undefined) throw this.#error as Error;
    return new Status(this.#message.peer, -1, this.#message.placed.sizeBytes);
  }

  advance(): boolean {
    this.#fragments = this.#fragments.filter((fragment) => {
      const isOver = this.#tried(() => fragment.test() !== undefined, true);
      if (isOver) fragment.end();
      return !isOver;
    });
    while (this.#hasMore && this.#fragments.length < this.#wire.options.depth) {
      this.#tried(() => this.#fragments.push(this.#next()) > 0, false);
    }
    return this.isOver;
  }

  get #staging(): Staging {
    return this.#message.placed.device?.pinned ?? this.#wire.context.staging;
  }

  get #hasMore(): boolean {
    return this.#error === undefined && this.#sentBytes < this.#message.placed.sizeBytes;
  }

  /** What `attempt` gives; the first error ends the message, and `ifThrown` is given. */
  #tried(attempt: () => boolean, ifThrown: boolean): boolean {
    try {
      return attempt();
    } catch (error) {
      this.#error ??= error;
      return ifThrown;
    }
  }

  #first(): Fragment {
    const { placed, peer, tag, call, frame } = this.#message;
    const length = this.#sentBytes;
    const buffer = this.#staging.take(FRAME_BYTES + length);
    writeFrame(buffer.bytes, frame);
    packRange(placed, 0, length, buffer, FRAME_BYTES);
    return this.#wire.send(call, this.#wire.messages, buffer.address, FRAME_BYTES + length, peer, tag, buffer);
  }

  #next(): Fragment {
    const { placed, peer, frame } = this.#message;
    const first = this.#sentBytes;
    const length = Math.min(this.#wire.options.chunkBytes, placed.sizeBytes - first);
    this.#sentBytes += length;
    if (!isThere(placed))
      throw new BridgeError(`send to ${peer}`, "its buffer until it is over", "one that was transferred away");
    const isShown = isBytes(placed) && !placed.buffer.canChangeSize;
    const buffer = isShown ? undefined : this.#staging.take(length);
    if (buffer !== undefined) packRange(placed, first, length, buffer, 0);
    const address = buffer?.address ?? placed.address + first;
    return this.#wire.send("MPI_Isend", this.#wire.chunks, address, length, peer, frame.chain, buffer);
  }
}
