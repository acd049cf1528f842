import { requireCount } from "../datatype/require-integer.js";
import { requireSafeInteger } from "../safe-integer.js";
import { compareSequences } from "./compare-sequences.js";
import { pathTo } from "./path-to.js";
import { repeated, type SignatureNode } from "./signature-node.js";
import { requireSignature, type Signature } from "./signature.js";
import { requireObject } from "../checks/require-argument.js";

/** One side of a message: `count` elements of a datatype with this signature. */
export interface MessageSide {
  readonly signature: Signature;
  readonly count: number;
}

/** Whether a send fits a receive, and where not, what differs. */
export type SignatureMatch =
  | { readonly ok: true }
  /** `reason` is one line: what differs, and where. */
  | { readonly ok: false; readonly reason: string };

const MATCH: SignatureMatch = Object.freeze({ ok: true });

/**
 * Whether a message sent as `sent` may be received as `received`. MPI 4.1, sections 3.3.1 and 5.1.11:
 * - the basic types must be the same, one by one; the receiver may have room for more (a shorter message is legal);
 * - MPI_BYTE matches only MPI_BYTE;
 * - where one side is MPI_PACKED throughout, only bytes count: packed data match any type.
 * "No" is exact; "yes" is as exact as `sameSignature`.
 * @throws ArgumentError where a side is no `{ signature, count }`; DatatypeError for a count that is no natural number,
 * or bytes beyond the safe integers.
 *
 * @example
 * ```typescript
 * const doubles = signatureOf(predefined("MPI_DOUBLE"));
 * const pairs = signatureOf(predefined("MPI_DOUBLE_INT"));
 * matchSignatures({ signature: doubles, count: 2 }, { signature: pairs, count: 1 });
 * // { ok: false, reason: "element 1: MPI_DOUBLE sent, MPI_INT received" }
 * ```
 */
export function matchSignatures(sent: MessageSide, received: MessageSide): SignatureMatch {
  const from = wholeOf(sent, "sent");
  const into = wholeOf(received, "received");
  if (isPacked(from) || isPacked(into)) {
    return from.sizeBytes <= into.sizeBytes
      ? MATCH
      : mismatch(`${from.sizeBytes} bytes sent, room for ${into.sizeBytes}`);
  }
  const length = Math.min(from.elements, into.elements);
  const { differsAt: at } = compareSequences(from, into, length);
  if (at !== undefined) return mismatch(`element ${at}: ${nameAt(from, at)} sent, ${nameAt(into, at)} received`);
  return from.elements <= into.elements ? MATCH : mismatch(`${from.elements} elements sent, room for ${into.elements}`);
}

function wholeOf(message: MessageSide, side: string): SignatureNode {
  const { signature, count } = requireObject(message, `side of a message, ${side}`, "{ signature, count }");
  requireSignature(signature);
  requireCount(count, "count", `count of elements ${side}`);
  requireSafeInteger(count * signature.sizeBytes, `bytes ${side}`);
  return repeated(count, signature.root);
}

/** Whether a sequence is MPI_PACKED and nothing else. */
function isPacked(node: SignatureNode): boolean {
  const only = node.kind === "repeat" ? node.child : node;
  return only.kind === "basic" && only.name === "MPI_PACKED";
}

const nameAt = (node: SignatureNode, position: number): string => pathTo(node, position).element.name;

const mismatch = (reason: string): SignatureMatch => ({ ok: false, reason });
