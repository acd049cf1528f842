import { predefined } from "@stowage/ir";
import type { Communicator } from "../communicator/communicator.js";
import type { Request } from "../message/requests/request.js";
import type { HaloMessage } from "./halo-parts.js";

/** What brings packed regions to the neighbours. `prepare` comes before packing, `send` behind it, `wait` ends it. */
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
  readonly messages: readonly HaloMessage[];
}

/** One persistent send and receive a neighbouring rank. */
export function byPersistent(comm: Communicator, sent: Carried, received: Carried): PackedExchange {
  const part = ({ bytes }: Carried, { at, sizeBytes }: HaloMessage): Uint8Array => bytes.subarray(at, at + sizeBytes);
  const receives = received.messages.map((each) => comm.recvInit(part(received, each), each.neighbour));
  const sends = sent.messages.map((each) => comm.sendInit(part(sent, each), each.neighbour));
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
export function byAlltoallv(comm: Communicator, sent: Carried, received: Carried): PackedExchange {
  const [out, into] = [sent, received].map((carried) => partsOf(carried, comm.size)) as [Parts, Parts];
  let request: Request | undefined;
  return {
    prepare: () => undefined,
    send: () => (request = comm.ialltoallv(out, into)),
    wait() {
      request?.wait();
      request = undefined;
    },
    sendAndWait: () => comm.alltoallv(out, into),
    free: () => undefined,
  };
}

type Parts = Parameters<Communicator["alltoallv"]>[1];
const BYTE = predefined("MPI_BYTE");

function partsOf({ bytes, messages }: Carried, ranks: number): Parts {
  const counts = new Array<number>(ranks).fill(0);
  const displacements = new Array<number>(ranks).fill(0);
  for (const { neighbour, at, sizeBytes } of messages) {
    counts[neighbour] = sizeBytes;
    displacements[neighbour] = at;
  }
  return { buffer: bytes, datatype: BYTE, counts, displacements };
}
