import { predefined } from "@stowage/ir";
import type { Request } from "../../message/requests/request.js";
import type { BoundRanks, PackedParts } from "./bound-regions.js";
import type { RegionMessage } from "./regions.js";

/** What brings packed regions to the peers. `prepare` comes before packing, `send` behind it, `wait` ends it. */
export interface PackedExchange {
  prepare(): void;
  send(): void;
  wait(): void;
  /** The last two of an exchange that nothing overlaps. */
  sendAndWait(): void;
  free(): void;
}

/** Packed bytes and the messages that lie in them. */
export interface Carried {
  readonly bytes: Uint8Array;
  readonly messages: readonly RegionMessage[];
}

/** One persistent send and receive a peer. */
export function byPersistent(ranks: BoundRanks, sent: Carried, received: Carried): PackedExchange {
  const part = ({ bytes }: Carried, { at, sizeBytes }: RegionMessage): Uint8Array => bytes.subarray(at, at + sizeBytes);
  const receives = received.messages.map((each) => ranks.recvInit(part(received, each), each.peer));
  const sends = sent.messages.map((each) => ranks.sendInit(part(sent, each), each.peer));
  const all = [...receives, ...sends];
  const wait = (): void => all.forEach((request) => request.wait());
  const send = (): void => sends.forEach((request) => request.start());
  return {
    prepare: () => receives.forEach((request) => request.start()),
    send,
    wait,
    sendAndWait() {
      send();
      wait();
    },
    free: () => all.forEach((request) => request.free()),
  };
}

/** One alltoallv of the buffer, as TEMPI's case study has it (Pearson et al. 2021, section 6.4). */
export function byAlltoallv(ranks: BoundRanks, sent: Carried, received: Carried): PackedExchange {
  const [out, into] = [sent, received].map((carried) => partsOf(carried, ranks.size)) as [PackedParts, PackedParts];
  let request: Request | undefined;
  return {
    prepare: () => undefined,
    send: () => (request = ranks.ialltoallv(out, into)),
    wait() {
      request?.wait();
      request = undefined;
    },
    sendAndWait: () => ranks.alltoallv(out, into),
    free: () => undefined,
  };
}

const BYTE = predefined("MPI_BYTE");

function partsOf({ bytes, messages }: Carried, ranks: number): PackedParts {
  const counts = new Array<number>(ranks).fill(0);
  const displacements = new Array<number>(ranks).fill(0);
  for (const { peer, at, sizeBytes } of messages) {
    counts[peer] = sizeBytes;
    displacements[peer] = at;
  }
  return { buffer: bytes, datatype: BYTE, counts, displacements };
}
