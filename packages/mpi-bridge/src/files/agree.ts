import type { Communicator } from "../communicator/communicator.js";
import { BridgeError } from "../errors.js";

const MOST_TEXT_BYTES = 512;

/**
 * After a part that may fail on some ranks: all throw where one did, so that none waits for another. All ranks call it.
 */
export function agreeOnFailure(comm: Communicator, subject: string, error: unknown): void {
  const failed = new Int32Array(comm.size);
  comm.allgather(Int32Array.of(error === undefined ? 0 : 1), failed);
  const first = failed.indexOf(1);
  if (first < 0) return;
  const text = new Uint8Array(MOST_TEXT_BYTES);
  if (comm.rank === first) new TextEncoder().encodeInto((error as Error).message, text);
  comm.bcast(text, first);
  if (error !== undefined) throw error as Error;
  const reason = new TextDecoder().decode(text.subarray(0, text.indexOf(0)));
  throw new BridgeError(subject, "to succeed on all ranks", `of rank ${first}: ${reason}`);
}

/** Runs a part of a collective; gives back what it throws. */
export function failureOf(work: () => void): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
}
