import { BridgeError } from "../../errors.js";

const ANSWERS = ["fetched", "fetched on one GPU", "ready", "declined", "refused", "failed"] as const;

/**
 * What a receiver says of an offer: the elements are there, fetched by another GPU or by the sender's own; the receiver
 * is ready for them, or the sender has sent them; they must come by way of the host, these or all that this sender has
 * for it; or they never will be there.
 */
export interface Reply {
  readonly answer: (typeof ANSWERS)[number];
  /** Of "ready": which message of its channel it is. Else 0. */
  readonly turn?: number;
  /** Why, in one line; empty where they were fetched. */
  readonly reason: string;
}

export const REPLY_BYTES = 256;
/** Of the record: version, answer, turn, reason. */
const VERSION = 1;
const [ANSWER_AT, TURN_AT, REASON_AT] = [1, 8, 16] as const;
const [ENCODER, DECODER] = [new TextEncoder(), new TextDecoder()];

export function writeReply(bytes: Uint8Array, { answer, turn = 0, reason }: Reply): void {
  bytes.fill(0, 0, REPLY_BYTES);
  bytes[0] = VERSION;
  bytes[ANSWER_AT] = ANSWERS.indexOf(answer);
  viewOf(bytes).setFloat64(TURN_AT, turn, true);
  ENCODER.encodeInto(reason, bytes.subarray(REASON_AT, REPLY_BYTES - 1));
}

/** Throws a BridgeError for a record of another version. */
export function readReply(bytes: Uint8Array): Reply {
  if (bytes[0] !== VERSION)
    throw new BridgeError(
      "reply of a receiver",
      `a record of version ${VERSION}, as this package writes`,
      `${bytes[0]}`,
    );
  const answer = ANSWERS[bytes[ANSWER_AT] as number] ?? "failed";
  const turn = viewOf(bytes).getFloat64(TURN_AT, true);
  const reason = DECODER.decode(bytes.subarray(REASON_AT, REPLY_BYTES)).replace(/\0.*$/s, "");
  return { answer, turn, reason };
}

/** Whether the elements are there. */
export const isFetched = ({ answer }: Reply): boolean => answer === "fetched" || answer === "fetched on one GPU";

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, REPLY_BYTES);
