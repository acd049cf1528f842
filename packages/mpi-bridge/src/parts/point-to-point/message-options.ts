import { A_TIME_LIMIT, ANYTHING, rulesOf } from "../../option-rules.js";
import type { WaitOptions } from "../../message/requests/request.js";

/** Options of a send. */
export interface SendOptions extends WaitOptions {
  /** The tag that the message carries, 0 or more. Default: 0. */
  readonly tag?: number | undefined;
}

/** Options of a receive or a probe. */
export interface RecvOptions extends WaitOptions {
  /** The tag of the messages that are taken, or ANY_TAG. Default: ANY_TAG. */
  readonly tag?: number | undefined;
}

/** Options of a send and a receive at once; the time limit holds for each. */
export interface SendrecvOptions extends WaitOptions {
  /** The tag that the sent message carries. Default: 0. */
  readonly sendTag?: number | undefined;
  /** The tag of the message that is received. Default: ANY_TAG. */
  readonly recvTag?: number | undefined;
}

/** Options of a send, a receive or a probe. Tags are looked at beside ranks, unless settings say not to. */
export const MESSAGE_OPTIONS = rulesOf<RecvOptions>({ tag: ANYTHING, timeoutMs: A_TIME_LIMIT });
export const SENDRECV_OPTIONS = rulesOf<SendrecvOptions>({
  sendTag: ANYTHING,
  recvTag: ANYTHING,
  timeoutMs: A_TIME_LIMIT,
});
