import { prefixHash, printSignature, type MessageSide } from "@stowage/ir";
import type { Placed } from "../../message/place/placed.js";
import { BridgeError } from "../../errors.js";
import type { SentSignature } from "./frame.js";

/** Names in an error's text; the frame holds 64 bytes of it. */
const MOST_NAMES = 8;

export const NO_SIGNATURE: SentSignature = Object.freeze({ elements: 0, hash: "", text: "" });

/** What a sender says of its elements. */
export function sentSignature(placed: Placed): SentSignature {
  const side = sideOf(placed);
  const elements = side.count * side.signature.elements;
  if (isPacked(side)) return NO_SIGNATURE;
  return { elements, hash: prefixHash(side, elements), text: textOf(side) };
}

/**
 * Throws a BridgeError unless a receiver's elements begin with the sender's, basic type by basic type (MPI 4.1,
 * sections 3.3.1 and 5.1.11): the receiver may have room for more, and MPI_PACKED matches any.
 */
export function requireSignature(sent: SentSignature, placed: Placed, subject: string): void {
  const side = sideOf(placed);
  if (sent.hash === "" || isPacked(side)) return;
  const most = side.count * side.signature.elements;
  if (sent.hash === prefixHash(side, Math.min(sent.elements, most))) return;
  throw new BridgeError(`type signature of ${subject}`, textOf(side), sent.text);
}

const sideOf = ({ type, count }: Placed): MessageSide => ({ signature: type.signature, count });

function isPacked({ signature: { root } }: MessageSide): boolean {
  const only = root.kind === "repeat" ? root.child : root;
  return only.kind === "basic" && only.name === "MPI_PACKED";
}

function textOf({ signature, count }: MessageSide): string {
  const text = printSignature(signature, MOST_NAMES);
  return count === 1 ? text : `${count} × (${text})`;
}
