import type { Transfer } from "../../message/place/transfer.js";
import { ANY_TAG, PROC_NULL } from "../../constants.js";
import type { Ending, Timed } from "../../message/requests/request.js";
import { Status } from "../../message/requests/status.js";

/** What arrived is unpacked, whatever was posted. */
export function receiving(subject: string, transfer: Transfer, source: number, timed?: Timed): Ending {
  return {
    subject,
    cancellable: true,
    memory: transfer.seen,
    timed,
    finish: (status) => {
      // MPICH tells nothing of a receive from no partner that was begun; the standard (3.10) says what it must tell.
      if (source === PROC_NULL) return new Status(PROC_NULL, ANY_TAG, 0);
      transfer.unpack(status.sizeBytes)?.wait();
      return status;
    },
    release: () => transfer.release(),
  };
}
