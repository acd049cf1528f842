import { boundsOf, type Datatype } from "@stowage/ir";
import type { Span } from "./placement.js";

/** The bytes that `copies` of a datatype touch, from the first copy's address 0. */
export function spanOfCopies(datatype: Datatype, copies: number): Span {
  const { extentBytes, trueLowerBoundBytes, trueExtentBytes } = boundsOf(datatype);
  if (copies === 0) return { low: 0, high: 0 };
  const lastBytes = (copies - 1) * extentBytes;
  return {
    low: trueLowerBoundBytes + Math.min(0, lastBytes),
    high: trueLowerBoundBytes + trueExtentBytes + Math.max(0, lastBytes),
  };
}
