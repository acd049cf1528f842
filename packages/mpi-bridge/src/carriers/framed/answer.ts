import { BridgeError } from "../../errors.js";

/**
 * What a receiver says of an offer: the elements are there, by another GPU or the sender's own; it is ready for them,
 * and which of its messages that is; they must come in chunks, this time or always; or they never will be there. A
 * sender that was called says in turn that it is ready, or has failed.
 */
export type Answer =
  | { readonly kind: "taken"; readonly onOneGpu: boolean }
  | { readonly kind: "ready"; readonly turn: number }
  | { readonly kind: "declined" | "refused" | "failed"; readonly reason: string };

export const ANSWER_BYTES = 256;
/** The record's version; it holds version, kind, number (1: on one GPU; a turn), and the reason in one line. */
const VERSION = 2;
const KINDS = ["taken", "ready", "declined", "refused", "failed"] as const;
const [KIND_AT, NUMBER_AT, REASON_AT] = [1, 8, 16] as const;
const [ENCODER, DECODER] = [new TextEncoder(), new TextDecoder()];

export function writeAnswer(bytes: Uint8Array, answer: Answer): void {
  bytes.fill(0, 0, ANSWER_BYTES);
  bytes[0] = VERSION;
  bytes[KIND_AT] = KINDS.indexOf(answer.kind);
  const number = answer.kind === "taken" ? Number(answer.onOneGpu) : answer.kind === "ready" ? answer.turn : 0;
  viewOf(bytes).setFloat64(NUMBER_AT, number, true);
  if ("reason" in answer) ENCODER.encodeInto(answer.reason, bytes.subarray(REASON_AT, ANSWER_BYTES - 1));
}

/** Throws a BridgeError for a record of another version, or of no kind that this one has. */
export function readAnswer(bytes: Uint8Array): Answer {
  const kind = KINDS[bytes[KIND_AT] as number];
  if (bytes[0] !== VERSION || kind === undefined)
    throw new BridgeError(
      "answer of a receiver",
      `a record of version ${VERSION}, as this package writes`,
      `${bytes[0]}`,
    );
  const number = viewOf(bytes).getFloat64(NUMBER_AT, true);
  if (kind === "taken") return { kind, onOneGpu: number === 1 };
  if (kind === "ready") return { kind, turn: number };
  return { kind, reason: DECODER.decode(bytes.subarray(REASON_AT, ANSWER_BYTES)).replace(/\0.*$/s, "") };
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, ANSWER_BYTES);
