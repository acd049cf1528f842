import { HostBuffer } from "@stowage/backend-api";
import { MemberCarriers } from "../carriers/chooser.js";
import type { Outgoing } from "../carriers/carrier.js";
import { PIECE_BYTES } from "../carriers/nccl/pieces.js";
import type { Communicator } from "../communicator/communicator.js";
import type { Halo, HaloCarriage, HaloOptions } from "./halo-options.js";
import { haloParts } from "./halo-parts.js";

/** A halo of which it is known what carries it. */
export interface ChosenHalo extends Halo {
  readonly exchange: Exclude<HaloCarriage, "auto">;
  /** Empty where it was asked for. */
  readonly reason: string;
}

/** Carriers for which a rank need not meet the others, and the exchanges that go by them. */
const EXCHANGES = [
  ["packed", "persistent"],
  ["ipc", "ipc"],
] as const;

const OPTIONS = { chunkBytes: 0, depth: 1, checksSignatures: false, pieceBytes: PIECE_BYTES, devices: "ipc" } as const;

/**
 * The exchange that was asked for, or the one whose carrier is predicted to take least on the rank where it takes most:
 * each rank asks the carriers for all of its regions as one list, and all get the same answer. All ranks call it.
 */
export function chooseExchange(comm: Communicator, { pinned }: HaloOptions, halo: Halo): ChosenHalo {
  const { exchange, span } = halo;
  if (exchange !== "auto") return { ...halo, exchange, reason: "" };
  const isOnHost = "kind" in span.memory && HostBuffer.is(span.memory);
  const local = comm.splitShared();
  const isOneHost = local.size === comm.size;
  local.free();
  using members = new MemberCarriers(comm.shared, OPTIONS);
  const messages = isOnHost ? [] : regionsOf(comm, halo);
  const own = EXCHANGES.map(([name, by]) => {
    if (isOnHost) return by === "persistent" ? 0 : Infinity;
    const carrier = members.all.find((each) => each.name === name);
    const isOpen = by === "ipc" ? isOneHost : pinned !== undefined;
    if (!isOpen || carrier === undefined) return Infinity;
    if (messages.length === 0) return 0;
    return carrier.supports(messages).ok ? carrier.predict(messages).totalNs : Infinity;
  });
  const all = new Float64Array(own.length * comm.size);
  comm.allgather(Float64Array.from(own), all);
  const worst = own.map((_, i) => Math.max(...all.filter((__, at) => at % own.length === i)));
  const [, chosen] = EXCHANGES[worst.indexOf(Math.min(...worst))] ?? EXCHANGES[0];
  return { ...halo, exchange: chosen, reason: "the least predicted time" };
}

/** What goes to other ranks. */
function regionsOf(comm: Communicator, halo: Halo): readonly Outgoing[] {
  const { places, types } = comm.shared;
  const { parts } = haloParts(halo, comm.rank).sent;
  return parts
    .filter(({ neighbour }) => neighbour !== comm.rank)
    .map(({ neighbour, datatype }) => ({
      ...{ placed: places.at(halo.span, types.of(datatype), 1), peer: neighbour, use: "call" },
    }));
}
