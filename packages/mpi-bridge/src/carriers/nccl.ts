import { SUPPORTED, unsupported, type Buffer, type Support } from "@stowage/backend-api";
import { BridgeError } from "../errors.js";
import type { Context } from "../message/context.js";
import type { DeviceForm } from "../message/devices/device-forms.js";
import { lineOf } from "../message/line-of.js";
import { isOnHost } from "../message/place/placed.js";
import type { BoundRegions, BoundTerms } from "./bound/bound-regions.js";
import { NcclRegions } from "./bound/nccl-regions.js";
import { messagesBut, type Regions } from "./bound/regions.js";
import type { Addressed, MemberCarrier, Offered, Outgoing, Prediction, Sending, Taking } from "./carrier.js";
import { ChunkedSend } from "./chunked.js";
import { deviceForms, predictForms } from "./figures.js";
import type { FramingOptions } from "./framed/framing-options.js";
import { OfferedSend, type Offer } from "./framed/offered-send.js";
import type { Wire } from "./framed/wire.js";
import type { Channel } from "./nccl/channel.js";
import type { Channels } from "./nccl/channels.js";
import { obstacleToGroup, openChannels, openNcclGroup } from "./nccl/meet.js";
import { NcclTaking } from "./nccl/taking.js";
import type { Ranks } from "./ranks.js";

const FORMS: readonly DeviceForm[] = ["nccl"];

/**
 * NCCL, among GPUs of any hosts. Its messages have no tags and its kernels wait on the GPU for their peers, so MPI
 * matches first: a frame goes, the receiver begins its side and answers which one in the channel it is, the sender
 * begins its own and says so, and a last answer comes.
 */
export class Nccl implements MemberCarrier {
  readonly name = "nccl";
  readonly receivers = "members";
  readonly #context: Context;
  readonly #options: FramingOptions | undefined;
  #channels: Channels | undefined;
  /** Why there are no channels; undefined where there are. */
  #obstacle: string | undefined = 'its communicator was not duplicated with { devices: "nccl" }';
  /** Why there can be no group that binds regions. */
  #obstacleToBind: string | undefined = "its ranks have not met";

  constructor(context: Context, options: FramingOptions | undefined) {
    this.#context = context;
    this.#options = options;
  }

  meet(ranks: Ranks, gpu: number | undefined): Error | undefined {
    const { devices, pieceBytes = 0 } = this.#options ?? {};
    if (devices !== "nccl" && devices !== "auto") return undefined;
    const met = openChannels(ranks, this.#context, { gpu, pieceBytes });
    if (met instanceof BridgeError) {
      this.#obstacle = lineOf(met);
      return devices === "nccl" ? met : undefined;
    }
    this.#channels = met;
    this.#obstacle = undefined;
    return undefined;
  }

  meetToBind({ span }: Regions, { ranks }: BoundTerms): void {
    const obstacle = obstacleToGroup(ranks, this.#context, span.memory as Buffer);
    this.#obstacleToBind = obstacle && lineOf(obstacle);
  }

  get learned(): number {
    return this.#channels?.refusals.size ?? 0;
  }

  supports(messages: readonly Outgoing[], terms?: BoundTerms): Support {
    const channels = this.#channels;
    const obstacle = terms === undefined ? this.#obstacle : this.#obstacleToBind;
    if (obstacle !== undefined) return unsupported(obstacle);
    for (const { placed, peer } of messages) {
      if (isOnHost(placed)) return unsupported("its elements are the host's");
      if (placed.sizeBytes === 0) return unsupported("it has no bytes");
      if (channels === undefined) continue; // a group of its own
      if (placed.device !== channels.side) return unsupported("it lies in another GPU's memory");
      if (peer !== undefined && channels.to(peer) === undefined)
        return unsupported(channels.refusals.get(peer) ?? "it goes to this rank itself");
    }
    return deviceForms(this.#context, messages, FORMS).length > 0 ? SUPPORTED : unsupported("no backend packs it");
  }

  predict(messages: readonly Outgoing[]): Prediction {
    return predictForms(this.#context, messages, FORMS, { onOneGpu: false });
  }

  begin(messages: readonly Addressed[], wire: Wire): readonly Sending[] {
    const channels = this.#channels as Channels;
    return messages.map((message) => {
      const { placed, peer } = message;
      const channel = channels.to(peer);
      // While others are under way nothing may be allocated or loaded.
      if (channel === undefined || !channels.isReadyFor("send", placed, placed.sizeBytes))
        return new ChunkedSend(message, wire);
      const offer = offerOf(message, channels, channel);
      return new OfferedSend(message, wire, offer, () => new ChunkedSend(message, wire, true));
    });
  }

  bind(regions: Regions, terms: BoundTerms): () => BoundRegions {
    const { ranks } = terms;
    const { device = 0 } = regions.span.memory as Buffer;
    const peers = messagesBut(regions.sent, ranks.rank).map(({ peer }) => peer);
    const group = openNcclGroup(ranks, this.#context, device, peers);
    return () => {
      if (group instanceof BridgeError) throw group;
      try {
        return new NcclRegions(group, regions, terms);
      } catch (error) {
        // To end it in order would wait for the other ranks.
        group.abort();
        throw error;
      }
    };
  }

  take(offered: Offered, wire: Wire): Taking {
    const { placed, source, frame } = offered;
    const [channels, channel] = [this.#channels, this.#channels?.from(source)];
    if (channels === undefined || channel === undefined || placed.device !== channels.side)
      return { kind: "declined", reason: "its elements are not in the memory of the rank's GPU there" };
    if (!channels.isReadyFor("receive", placed, frame.sizeBytes))
      return { kind: "declined", reason: "its kernels are not loaded, and others are under way" };
    return new NcclTaking(wire, channels, channel, offered);
  }

  [Symbol.dispose](): void {
    if (this.#channels === undefined) return;
    this.#channels[Symbol.dispose]();
    this.#context.endsBeforeDevices.delete(this.#channels);
  }
}

function offerOf({ placed, peer }: Addressed, channels: Channels, channel: Channel): Offer {
  const staging = channels.begin("send", placed, placed.sizeBytes);
  return {
    asks: "receive",
    mostBytes: 0,
    write: () => 0,
    depart: (turn) => (turn === channel.turn + 1 ? channel.send(placed, staging) : undefined),
    requireHealth: () => channel.requireHealth(),
    heard: (answer) => {
      if (answer.kind === "refused") channels.giveUp(peer, `rank ${peer} refused: ${answer.reason}`);
    },
    failed: (error) => channels.giveUp(peer, error),
    release: () => channels.end(staging),
  };
}
