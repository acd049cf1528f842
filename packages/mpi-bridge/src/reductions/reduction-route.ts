import type { Reduction } from "@stowage/backend-api";

/**
 * How reductions of a communicator go. "packed": elements are packed, the MPI reduces the packed bytes, and the result is
 * unpacked; any MPI program may take part. "arriving": ranks exchange parts of the packed stream and combine them as they arrive.
 * "auto": whichever is expected to take less.
 */
export type ReductionRoute = "packed" | "arriving" | "auto";
export const REDUCTION_ROUTES: readonly ReductionRoute[] = Object.freeze(["packed", "arriving", "auto"]);

/** How one reduction goes, and why. */
export interface ReductionPlan {
  readonly route: Exclude<ReductionRoute, "auto">;
  readonly reason: string;
}

/** What the choice is made by: all of it is the same on all ranks, so that they choose alike. */
export interface ReductionFacts {
  readonly name: string;
  /** What its communicator was duplicated with. */
  readonly route: ReductionRoute;
  readonly ranks: number;
  readonly sizeBytes: number;
  /** Undefined where no unpack combines such elements. */
  readonly move: Reduction | undefined;
}

/**
 * Bytes of a part from which on combining on arrival takes less, measured on 2 and 4 ranks
 * (results/epyc/reduce-*.json): below, its messages cost more than the MPI's own copies of the packed bytes.
 */
const LEAST_PART_BYTES = 32 * 1024;

export function planReduction(facts: ReductionFacts): ReductionPlan {
  const { route, ranks, move } = facts;
  if (route === "packed")
    return packed("its communicator is shared with any MPI program: it was not duplicated with { reductions }");
  if (move === undefined) return packed("no unpack combines such elements");
  if (ranks === 1) return packed("one rank has nothing to combine");
  return route === "arriving" ? { route, reason: "asked for by { reductions } of dup" } : automatic(facts);
}

function automatic({ name, ranks, sizeBytes }: ReductionFacts): ReductionPlan {
  // A scan's chain moves all of it through each rank; of others each rank combines one part.
  const partBytes = name === "scan" || name === "exscan" ? sizeBytes / ranks : sizeBytes / ranks;
  const what = `${Math.floor(partBytes)} bytes of each rank's part`;
  if (partBytes < LEAST_PART_BYTES) return packed(`${what} are less than ${LEAST_PART_BYTES}`);
  return { route: "arriving", reason: `${what} are ${LEAST_PART_BYTES} or more` };
}

const packed = (reason: string): ReductionPlan => ({ route: "packed", reason });
