import { BridgeError, MpiTimeoutError } from "../errors.js";
import type { Request } from "../message/requests/request.js";
import { REDUCTION_CARRIERS } from "../parts/reductions/reduction-plan.js";
import { DEVICE_CARRIERS } from "../carriers/framed/framing-options.js";
import type { Agreed } from "./dup-options.js";

/** How long ranks wait for each other's options where no time limit is set. */
const LIMIT_MS = 10_000;

/** All ranks of the new communicator, as far as agreeing is concerned. */
interface Members {
  readonly rank: number;
  readonly size: number;
  iallgather(sent: Int32Array, received: Int32Array): Request;
  free(): void;
}

/**
 * Throws the same error on all ranks where their options differ, of which none keeps the communicator, and a
 * MpiTimeoutError where a rank gave none.
 */
export function requireAgreement(members: Members, { framing, reductions }: Agreed, limitMs = LIMIT_MS): void {
  const own = Int32Array.of(
    framing?.chunkBytes ?? 0,
    framing?.depth ?? 0,
    Number(framing?.checksSignatures ?? false),
    DEVICE_CARRIERS.indexOf(framing?.devices ?? "staged"),
    REDUCTION_CARRIERS.indexOf(reductions),
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
      members.free(); // all ranks do
      throw new BridgeError(
        "options of dup",
        `the same on all ranks, ${text(first)} of rank 0`,
        `${text(theirs)} of rank ${rank}`,
      );
    }
  }
}

function text([chunkBytes = 0, depth, checks, devices = 0, carrier = 0]: Int32Array): string {
  const chunks = chunkBytes === 0 ? "" : `chunkBytes: ${chunkBytes}, depth: ${depth}, `;
  const signatures = checks === 1 ? "check" : "trust";
  return `{ ${chunks}signatures: ${signatures}, devices: ${DEVICE_CARRIERS[devices]}, reductions: ${REDUCTION_CARRIERS[carrier]} }`;
}
