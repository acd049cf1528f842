import { requireNatural } from "../safe-integer.js";
import type { Dense } from "./node.js";

/** One run of `lengthBytes` contiguous bytes. Throws a DatatypeError where that is no natural number. */
export function dense(lengthBytes: number): Dense {
  requireNatural(lengthBytes, "length of a dense run in bytes");
  return Object.freeze({
    kind: "dense",
    lengthBytes,
    sizeBytes: lengthBytes,
    lowBytes: 0,
    highBytes: lengthBytes,
    blockCount: lengthBytes === 0 ? 0 : 1,
    depth: 1,
  });
}

/** The layout node that moves nothing. */
export const EMPTY: Dense = dense(0);
