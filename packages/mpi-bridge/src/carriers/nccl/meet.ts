import type { Buffer } from "@stowage/backend-api";
import type { Nccl, NcclCommunicator } from "@stowage/nccl";
import { lineOf } from "../../message/line-of.js";
import type { DeviceSide } from "../../message/devices/device-side.js";
import { BridgeError } from "../../errors.js";
import type { Context } from "../../message/context.js";
import { Channel, RECEIVER, SENDER } from "./channel.js";
import { NCCL_FACTS_BYTES, obstacle, writeFacts, type NcclFacts } from "./nccl-facts.js";
import type { Ranks } from "../ranks.js";
import { Channels } from "./channels.js";

/** The GPU of this rank, and how large messages go. */
export interface NcclOptions {
  /** Default: ranks of a host take its GPUs in turns. */
  readonly gpu: number | undefined;
  readonly pieceBytes: number;
}

/** NCCL and the GPU by which this rank meets the others. */
interface Met {
  readonly nccl: Nccl;
  readonly side: DeviceSide;
}

/** Channels from each rank to each. All ranks call it; all get them, or the same BridgeError why there are none. */
export function openChannels(ranks: Ranks, context: Context, { gpu, pieceBytes }: NcclOptions): Channels | BridgeError {
  const met = meet(ranks, context, gpu);
  if (met instanceof BridgeError) return met;
  const channels = new Channels(met.side, ranks.rank, pieceBytes);
  const error = together(ranks, () => {
    // In one order of all pairs: each is made, and joined, while both of its ranks wait for it.
    for (let from = 0; from < ranks.size; from++)
      for (let to = 0; to < ranks.size; to++)
        if (from !== to && (from === ranks.rank || to === ranks.rank))
          channels.add(from, to, channel(ranks, met, pieceBytes, from, to));
  });
  if (error === undefined) {
    context.endsBeforeDevices.add(channels);
    return channels;
  }
  channels.abort();
  return error;
}

/**
 * One communicator of all ranks, on the GPU of this ordinal each, joined with those that it is to exchange with; or why
 * there is none. All ranks call it.
 */
export function openNcclGroup(
  ranks: Ranks,
  context: Context,
  gpu: number,
  neighbours: readonly number[],
): NcclCommunicator | BridgeError {
  const met = meet(ranks, context, gpu);
  if (met instanceof BridgeError) return met;
  const id = idOf(met.nccl, ranks.rank === 0);
  ranks.bcast(id, 0);
  let made: NcclCommunicator | undefined;
  const error = together(ranks, () => {
    requireId(id, 0);
    made = met.nccl.communicator(met.side.context, { id, rank: ranks.rank, size: ranks.size });
    connect(made, neighbours);
  });
  if (error === undefined && made !== undefined) {
    context.endsBeforeDevices.add(made);
    return made;
  }
  made?.abort();
  return error as BridgeError;
}

/** Why there can be no such communicator by these memories, the same on all ranks, which call it. */
export function obstacleToGroup(ranks: Ranks, context: Context, { kind, device = 0 }: Buffer): BridgeError | undefined {
  const found = kind === "device" ? find(context, device) : { reason: `${kind} memory` };
  const met = meetAs(ranks, found);
  return met instanceof BridgeError ? met : undefined;
}

const ID_BYTES = 128;

/** All zero where it is another's to give, or could not be given. */
function idOf(nccl: Nccl, isGiver: boolean): Uint8Array {
  try {
    return isGiver ? nccl.uniqueId() : new Uint8Array(ID_BYTES);
  } catch {
    return new Uint8Array(ID_BYTES);
  }
}

/** Ranks must not wait in NCCL for one that cannot come. */
function requireId(id: Uint8Array, giver: number): void {
  if (id.every((byte) => byte === 0)) throw new BridgeError("NCCL", `a unique id of rank ${giver}`, "none");
}

/** NCCL joins two GPUs as their first message goes, and the host waits meanwhile. */
function connect(comm: NcclCommunicator, neighbours: readonly number[]): void {
  using memory = comm.context.deviceMemory(2 * neighbours.length + 1);
  using stream = comm.context.stream();
  comm.exchange(
    stream,
    neighbours.flatMap((peer, i) => [
      { act: "send", peer, address: memory.address + 2 * i, sizeBytes: 1 } as const,
      { act: "receive", peer, address: memory.address + 2 * i + 1, sizeBytes: 1 } as const,
    ]),
  );
  stream.synchronize();
}

function meet(ranks: Ranks, context: Context, gpu: number | undefined): Met | BridgeError {
  const local = ranks.splitShared();
  const found = find(context, gpu ?? local.rank);
  local.free();
  return meetAs(ranks, found);
}

function meetAs(ranks: Ranks, found: Met | { readonly reason: string }): Met | BridgeError {
  const facts: NcclFacts =
    "reason" in found ? found : { gpu: found.side.context.device.uuid, version: found.nccl.version };
  const all = new Uint8Array(NCCL_FACTS_BYTES * ranks.size);
  ranks.allgather(writeFacts(facts), all);
  return obstacle(all) ?? (found as Met);
}

/** Ranks of a host take its GPUs in turns. */
function find(context: Context, number: number): Met | { readonly reason: string } {
  try {
    const side = context.devices.on(number % context.devices.count);
    return { side, nccl: context.nccl(side.context) };
  } catch (error) {
    return { reason: lineOf(error) };
  }
}

/** Runs what all ranks do together; all get an error where one of them failed. */
function together(ranks: Ranks, work: () => void): BridgeError | undefined {
  const own = writeFacts(attempted(work));
  const all = new Uint8Array(NCCL_FACTS_BYTES * ranks.size);
  ranks.allgather(own, all);
  return obstacle(all);
}

/** As facts that differ by nothing but whether it failed. */
function attempted(work: () => void): NcclFacts {
  try {
    work();
    return { gpu: String(Math.random()), version: "" };
  } catch (error) {
    return { reason: lineOf(error) };
  }
}

function channel(ranks: Ranks, { nccl, side }: Met, pieceBytes: number, from: number, to: number): Channel {
  const isSender = ranks.rank === from;
  const id = idOf(nccl, isSender);
  if (isSender) ranks.send(id, to);
  else ranks.recv(id, from);
  requireId(id, from);
  const made = new Channel(
    nccl.communicator(side.context, { id, rank: isSender ? SENDER : RECEIVER, size: 2 }),
    pieceBytes,
  );
  made.connect(isSender);
  return made;
}
