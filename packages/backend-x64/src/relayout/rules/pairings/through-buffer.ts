import type { PairingRule } from "../../pairing.js";

/** Bytes of the packed stream on the stack at once: with both sides' lines they stay in L1d. */
export const BUFFER_BYTES = 16 * 1024;

/** Layouts that do not pair: packed to a buffer on the stack, and unpacked from there; what always can be done. */
export const throughBuffer: PairingRule = { name: "through a buffer", plan: () => ({ what: "through a buffer" }) };

/** As much of the stream as a buffer holds, in whole pieces of the first of these sizes of which it holds one. */
export function bufferStep(sizesBytes: readonly number[]): number {
  const bytes = sizesBytes.find((size) => size < BUFFER_BYTES);
  return bytes === undefined ? BUFFER_BYTES : BUFFER_BYTES - (BUFFER_BYTES % bytes);
}
