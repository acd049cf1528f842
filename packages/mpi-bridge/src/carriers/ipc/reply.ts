const ANSWERS = ["fetched", "fetched on one GPU", "ready", "declined", "refused", "failed"] as const;

/**
 * What a receiver says of an offer: the elements are there, fetched by another GPU or by the sender's own; the receiver
 * is ready for them, or the sender has sent them; they must come by way of the host, these or all that this sender has
 * for it; or they never will be there.
 */
export interface Reply {
  readonly answer: (typeof ANSWERS)[number];
  /** Why, in one line; empty where they were fetched. */
  readonly reason: string;
}

export const REPLY_BYTES = 256;
const [ENCODER, DECODER] = [new TextEncoder(), new TextDecoder()];

export function writeReply(bytes: Uint8Array, { answer, reason }: Reply): void {
  bytes.fill(0, 0, REPLY_BYTES);
  bytes[0] = ANSWERS.indexOf(answer);
  ENCODER.encodeInto(reason, bytes.subarray(1, REPLY_BYTES - 1));
}

export function readReply(bytes: Uint8Array): Reply {
  const answer = ANSWERS[bytes[0] as number] ?? "failed";
  const reason = DECODER.decode(bytes.subarray(1, REPLY_BYTES)).replace(/\0.*$/s, "");
  return { answer, reason };
}
