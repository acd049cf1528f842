import { quoted } from "@stowage/ir";
import { BridgeError } from "../errors.js";
import { oneOf } from "../option-rules.js";
import { Communicator } from "./communicator.js";

/** What the other ranks of a window or a file are: programs of this package, or of any. */
export type PeerKind = "ours" | "any";

export const A_PEER_KIND = oneOf("ours", "any");

export function requireCommunicator(subject: string, comm: unknown): void {
  if (comm instanceof Communicator) return;
  throw new BridgeError(subject, "a communicator", quoted(comm));
}
