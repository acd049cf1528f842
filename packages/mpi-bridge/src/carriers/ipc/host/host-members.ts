import { readFileSync, readlinkSync } from "node:fs";
import { SUPPORTED, unsupported, type Support } from "@stowage/backend-api";
import { BridgeError } from "../../../errors.js";
import type { Context } from "../../../message/context.js";
import { packFigures } from "../../../message/datatype/pack-figures.js";
import { lineOf } from "../../../message/line-of.js";
import { isOnHost } from "../../../message/place/placed.js";
import type { Addressed, Offered, Outgoing, Prediction, Sending } from "../../carrier.js";
import { ChunkedSend } from "../../chunked.js";
import { overlapped } from "../../figures.js";
import type { Wire } from "../../framed/wire.js";
import type { Ranks } from "../../ranks.js";
import { Arenas, type SegmentName } from "./arenas.js";
import { Arena, type Held } from "./arena.js";
import { HostSend } from "./host-send.js";
import { HostTaking } from "./host-taking.js";
import { readHostOffer } from "./host-offer.js";
import { PIECE_BYTES, type Segment } from "./segment.js";

/** Shorter messages go with their frame in one of MPI's. results/epyc/bridge-shared-memory.json. */
export const LEAST_BYTES = 16 * 1024;
/** All ranks learn of each pair whether it maps each other's memory. */
const MOST_RANKS = 4096;
const NOTHING_SHARED = "its ranks share no memory";
/** What a rank tells of itself: its host's name, or its segment's. */
const FACTS_BYTES = 64;
const [PROCESS_AT, FILE_AT] = [0, 8] as const;

/** A rank's host, as far as memory is shared: a system that was started once, and processes that know each other. */
function hostName(): string {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return ""; // no Linux
  }
}

/** Messages of the host's memory between ranks that map each other's segments. */
export class HostMembers {
  readonly #context: Context;
  /** Segments of ranks that map this one's too; or why not. */
  #peers: readonly (Segment | string)[] = [];

  constructor(context: Context) {
    this.#context = context;
  }

  /** All ranks call it. */
  meet(ranks: Ranks): void {
    const { rank, size } = ranks;
    if (size > MOST_RANKS) return;
    const arenas = this.#context.only(Arenas);
    const hosts = gathered(ranks, textBytes(hostName()));
    const isHere = hosts.map((host) => textOf(host) !== "" && textOf(host) === textOf(hosts[rank] as Uint8Array));
    const isAlone = size > 1 && isHere.filter(Boolean).length === 1;
    const own = isHere[rank] === true && !isAlone ? arenas.own : "no other rank is on its host";
    const names = gathered(ranks, own instanceof Arena ? nameBytes(own) : new Uint8Array(FACTS_BYTES));
    const opened = names.map((name, peer): Segment | string => {
      if (isHere[peer] !== true) return "it goes to another host";
      if (own instanceof Arena) return peer === rank ? own.segment : openedOf(arenas, nameOf(name));
      return `this rank has no memory to share: ${own}`;
    });
    const mapped = gathered(
      ranks,
      Uint8Array.from(opened, (each) => Number(typeof each !== "string")),
    );
    this.#peers = opened.map((each, peer) => {
      if (typeof each === "string" || mapped[peer]?.[rank] === 1) return each;
      return `rank ${peer} does not map this rank's memory`;
    });
  }

  supports(messages: readonly Outgoing[]): Support {
    for (const { placed, peer } of messages) {
      if (!isOnHost(placed)) return unsupported("its elements lie in several kinds of memory");
      if (placed.sizeBytes <= LEAST_BYTES) return unsupported(`it has no more than ${LEAST_BYTES} bytes`);
      if (peer === undefined) return unsupported("it is not known to whom it goes");
      const segment = this.#peers[peer];
      if (segment === undefined) return unsupported(NOTHING_SHARED);
      if (typeof segment === "string") return unsupported(segment);
    }
    return SUPPORTED;
  }

  predict(messages: readonly Outgoing[]): Prediction {
    return overlapped("ipc", messages, PIECE_BYTES, ({ placed }) =>
      isOnHost(placed) && placed.type.dense === undefined ? packFigures(this.#context, placed).packedNs : undefined,
    );
  }

  /** In chunks where there is no room now. */
  begin(message: Addressed, wire: Wire, writeOffer: (bytes: Uint8Array, at: number, held: Held) => number): Sending {
    const { own } = this.#context.only(Arenas);
    const segment = this.#peers[message.peer];
    if (!(own instanceof Arena) || segment === undefined || typeof segment === "string")
      return new ChunkedSend(message, wire);
    const held = own.take(message.placed.sizeBytes, () => segment.isWriterAlive);
    if (held === undefined) return new ChunkedSend(message, wire);
    try {
      return new HostSend(message, wire, own, held, writeOffer);
    } catch (error) {
      own.give(held);
      throw error;
    }
  }

  /** Throws where the offer is none of that rank's. */
  taking({ bytes, atBytes, placed, source, frame: { sizeBytes } }: Offered): HostTaking {
    const segment = this.#peers[source];
    if (segment === undefined || typeof segment === "string")
      throw new BridgeError(
        "offer of shared memory",
        "one of a rank whose memory this one maps",
        segment ?? NOTHING_SHARED,
      );
    return new HostTaking(segment, readHostOffer(bytes, atBytes, sizeBytes), placed, sizeBytes, source);
  }
}

function gathered(ranks: Ranks, own: Uint8Array): readonly Uint8Array[] {
  const all = new Uint8Array(own.length * ranks.size);
  ranks.allgather(own, all);
  return Array.from({ length: ranks.size }, (_, rank) => all.subarray(rank * own.length, (rank + 1) * own.length));
}

function textBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(FACTS_BYTES);
  new TextEncoder().encodeInto(text, bytes);
  return bytes;
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes).replace(/\0.*$/s, "");

function nameBytes({ memory }: Arena): Uint8Array {
  const bytes = new Uint8Array(FACTS_BYTES);
  const view = new DataView(bytes.buffer);
  view.setFloat64(PROCESS_AT, process.pid, true);
  view.setFloat64(FILE_AT, memory.file + 1, true);
  return bytes;
}

/** Undefined: the rank has none. */
function nameOf(bytes: Uint8Array): SegmentName | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, FACTS_BYTES);
  const file = view.getFloat64(FILE_AT, true) - 1;
  return file < 0 ? undefined : { process: view.getFloat64(PROCESS_AT, true), file };
}

function openedOf(arenas: Arenas, name: SegmentName | undefined): Segment | string {
  if (name === undefined) return "its receiver has no memory to share";
  try {
    return arenas.of(name);
  } catch (error) {
    return `its receiver's memory cannot be mapped: ${lineOf(error)}`;
  }
}
