import type { WaitOptions } from "../request/request.js";

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
