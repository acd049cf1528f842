import { runsApart } from "@stowage/ir";
import { BUFFER_BYTES } from "../facts/buffer-bytes.js";
import type { ReduceRule, ReduceWay } from "../reduce-plan.js";

/**
 * As much as a buffer on the stack holds is packed, combined there, and unpacked again: as many full vectors whatever
 * the blocks. Blocks of 8 bytes of 1 MiB in 48 us; packed, reduced by MPI_Reduce_local and unpacked 73
 * (results/epyc/reductions.json).
 */
export const wholeBuffers: ReduceRule<ReduceWay> = {
  name: "whole buffers",
  plan: (_, { target }) =>
    runsApart(target, Infinity)
      ? { what: "through a buffer", bufferBytes: BUFFER_BYTES, endsWithElements: false }
      : "elements may share bytes, of which a buffer would hold two copies",
};
