import type { Names } from "../../option-rules.js";
import type { WaitOptions } from "../../message/requests/request.js";

/** Options of a send, a receive or a probe. */
export const MESSAGE_OPTIONS: Names = new Set(["tag", "timeoutMs"]);
export const SENDRECV_OPTIONS: Names = new Set(["sendTag", "recvTag", "timeoutMs"]);

export interface SendOptions extends WaitOptions {
  /** Default: 0. */
  readonly tag?: number | undefined;
}

export interface RecvOptions extends WaitOptions {
  /** Default: any. */
  readonly tag?: number | undefined;
}

/** Two messages at once. */
export interface SendrecvOptions extends WaitOptions {
  readonly sendTag?: number | undefined;
  /** Default: any. */
  readonly recvTag?: number | undefined;
}
