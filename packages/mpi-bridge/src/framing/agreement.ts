import { BridgeError, MpiTimeoutError } from "../errors.js";
import type { Request } from "../request/request.js";
import type { FramingOptions } from "./framing-options.js";

/** How long ranks wait for each other's options where no time limit is set. */
const LIMIT_MS = 10_000;

/** All ranks of the new communicator, as far as agreeing is concerned. */
interface Members {
  readonly rank: number;
  readonly size: number;
  iallgather(sent: Int32Array, received: Int32Array): Request;
}

/** Throws the same error on all ranks where their options differ, and a MpiTimeoutError where a rank gave none. */
export function requireAgreement(members: Members, options: FramingOptions, limitMs = LIMIT_MS): void {
  const own = Int32Array.of(
    options.chunkBytes,
    options.depth,
    Number(options.checksSignatures),
    Number(options.isDirect),
  );
  const all = new Int32Array(own.length * members.size);
  const request = members.iallgather(own, all);
  try {
    request.wait({ timeoutMs: limitMs });
  } catch (error) {
    if (!request.isActive) throw error;
    request.free();
    throw new MpiTimeoutError("options of dup of all ranks", limitMs);
  }
  for (let rank = 1; rank < members.size; rank++) {
    const theirs = all.subarray(rank * own.length, (rank + 1) * own.length);
    const first = all.subarray(0, own.length);
    if (theirs.some((value, i) => value !== first[i])) {
      throw new BridgeError(
        "options of dup",
        `the same on all ranks, ${text(first)} of rank 0`,
        `${text(theirs)} of rank ${rank}`,
      );
    }
  }
}

const text = ([chunkBytes, depth, checks, direct]: Int32Array): string =>
  `{ chunkBytes: ${chunkBytes}, depth: ${depth}, signatures: ${checks === 1 ? "check" : "trust"}, devices: ${direct === 1 ? "direct" : "staged"} }`;
