import { quoted } from "@stowage/ir";
import { BridgeError } from "../errors.js";
import { Communicator } from "./communicator.js";

/** What the other ranks of a window or a file are: programs of this package, or of any. */
export type PeerKind = "ours" | "any";

export function requirePeers(subject: string, peers: unknown): void {
  if (peers === "ours" || peers === "any") return;
  throw new BridgeError(`peers of a ${subject}`, "ours or any", quoted(peers));
}

export function requireCommunicator(subject: string, comm: unknown): void {
  if (comm instanceof Communicator) return;
  throw new BridgeError(subject, "a communicator", quoted(comm));
}
