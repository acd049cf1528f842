import type { StagingBuffer } from "../../message/place/staging.js";
import { ANY_SOURCE, ANY_TAG } from "../../constants.js";
import type { Status } from "../../message/requests/status.js";
import type { Frame } from "./frame.js";

/** The first message of a framed one, taken out of MPI's queue: a probe must tell the whole message's size. */
export interface Arrived {
  readonly status: Status;
  readonly frame: Frame;
  /** The frame, then the message's first bytes. */
  readonly buffer: StagingBuffer;
}

/** Whether a receive from that source with that tag matches it. MPI 4.1, section 3.2.4. */
export const matches = ({ status }: Arrived, source: number, tag: number): boolean =>
  (source === ANY_SOURCE || source === status.source) && (tag === ANY_TAG || tag === status.tag);
