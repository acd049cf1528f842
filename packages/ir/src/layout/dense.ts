import { requireSafeInteger } from "../safe-integer.js";
import type { LayoutFacts } from "./facts.js";

/** Bytes [0, lengthBytes), in order. The only leaf; of length 0 it is the empty layout. */
export interface Dense extends LayoutFacts {
  readonly kind: "dense";
  readonly lengthBytes: number;
}

export function dense(lengthBytes: number): Dense {
  requireSafeInteger(lengthBytes, "length of a dense run in bytes");
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
