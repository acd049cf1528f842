import { requireCount } from "../datatype/require-integer.js";
import { requireObject } from "../checks/require-argument.js";
import { ArgumentError } from "../errors.js";
import { digestText } from "./digest.js";
import type { MessageSide } from "./match-signatures.js";
import { prefixDigest } from "./prefix-digest.js";
import { repeated } from "./signature-node.js";
import { requireSignature } from "./signature.js";

/**
 * The hash, as `Signature.hash`, of the first `elements` basic elements of a side of a message: two processes compare
 * by it what one sent and the other has room for. O(depth + log of the counts on the way).
 * @throws ArgumentError where the side has fewer elements; DatatypeError for a count that is no natural number.
 */
export function prefixHash(side: MessageSide, elements: number): string {
  const { signature, count } = requireObject(side, "side of a message", "{ signature, count }");
  const whole = repeated(requireCount(count, "count", "count of elements"), requireSignature(signature).root);
  requireCount(elements, "elements", "elements of a prefix");
  if (elements > whole.elements) {
    throw new ArgumentError("elements of a prefix", `at most ${whole.elements}`, String(elements));
  }
  return digestText(prefixDigest(whole, elements));
}
