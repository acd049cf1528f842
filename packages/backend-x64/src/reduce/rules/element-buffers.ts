import { BUFFER_BYTES } from "../facts/buffer-bytes.js";
import type { ReduceRule, ReduceWay } from "../reduce-plan.js";

/** Reduces through a buffer that never holds bytes of two elements: what always can be done. */
export const elementBuffers: ReduceRule<ReduceWay> = {
  name: "a buffer an element",
  plan: () => ({ what: "through a buffer", bufferBytes: BUFFER_BYTES, endsWithElements: true }),
};
