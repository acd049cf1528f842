import type { Reduction } from "@stowage/backend-api";

/**
 * How reductions of a communicator go. "packed": elements are packed, the MPI reduces the packed bytes, and the result
 * is unpacked; any MPI program may take part. "arriving": ranks exchange parts of the packed stream and combine them as
 * they arrive. "auto": whichever is expected to take less.
 */
export type ReductionCarrier = "packed" | "arriving" | "auto";
export const REDUCTION_CARRIERS: readonly ReductionCarrier[] = Object.freeze(["packed", "arriving", "auto"]);

/** How one reduction goes, and why. */
export interface ReductionPlan {
  readonly carrier: Exclude<ReductionCarrier, "auto">;
  /** @deprecated `carrier` says the same. */
  readonly route: Exclude<ReductionCarrier, "auto">;
  /** Why, in words for the user. */
  readonly reason: string;
}

/** What the choice is made by: all of it is the same on all ranks, so that they choose alike. */
export interface ReductionFacts {
  /** What its communicator was duplicated with. */
  readonly carrier: ReductionCarrier;
  readonly ranks: number;
  readonly sizeBytes: number;
  /** Undefined where no unpack combines such elements. */
  readonly move: Reduction | undefined;
}

/**
 * Packed bytes from which on combining on arrival takes less, measured on 2 ranks (results/epyc/reduce-*.json): whole
 * copies of fewer stay in the caches between packing, the MPI's reduction and unpacking, and there segments gain
 * nothing.
 */
const LEAST_BYTES = 8 * 1024 * 1024;

/** Bytes of a rank's part below which its messages, two for each other rank, weigh more than what they carry. */
const LEAST_PART_BYTES = 32 * 1024;

export function planReduction(facts: ReductionFacts): ReductionPlan {
  const { carrier, ranks, move } = facts;
  if (carrier === "packed")
    return packed("its communicator is shared with any MPI program: it was not duplicated with { reductions }");
  if (move === undefined) return packed("no unpack combines such elements");
  if (ranks === 1) return packed("one rank has nothing to combine");
  return carrier === "arriving" ? planOf(carrier, "asked for by { reductions } of dup") : automatic(facts);
}

function automatic({ ranks, sizeBytes }: ReductionFacts): ReductionPlan {
  const partBytes = Math.floor(sizeBytes / ranks);
  if (sizeBytes < LEAST_BYTES) return packed(`${sizeBytes} bytes are less than ${LEAST_BYTES}`);
  if (partBytes < LEAST_PART_BYTES)
    return packed(`${partBytes} bytes of each rank's part are less than ${LEAST_PART_BYTES}`);
  return planOf("arriving", `${sizeBytes} bytes are ${LEAST_BYTES} or more`);
}

const planOf = (carrier: ReductionPlan["carrier"], reason: string): ReductionPlan => ({
  carrier,
  route: carrier,
  reason,
});
const packed = (reason: string): ReductionPlan => planOf("packed", reason);
