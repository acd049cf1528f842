import type { IntegerTable } from "@stowage/ir";
import type { Derived } from "./derived.js";

const MOST = 2 ** 31 - 1;
const LEAST = -(2 ** 31);

const isLarge = (value: number): boolean => value > MOST || value < LEAST;
/** ir holds a table as doubles only where an entry needs more than 32 bits. */
const hasLarge = (table: IntegerTable): boolean => table instanceof Float64Array;

/** Whether a count, blocklength or displacement in elements does not fit C's int. Bytes always count in 64 bits. */
export function hasLargeCounts(type: Derived): boolean {
  switch (type.kind) {
    case "contiguous":
      return isLarge(type.count);
    case "vector":
      return isLarge(type.count) || isLarge(type.blocklength) || isLarge(type.stride);
    case "hvector":
      return isLarge(type.count) || isLarge(type.blocklength);
    case "indexed":
      return hasLarge(type.blocklengths) || hasLarge(type.displacements);
    case "hindexed":
    case "struct":
      return hasLarge(type.blocklengths);
    case "indexed_block":
      return isLarge(type.blocklength) || hasLarge(type.displacements);
    case "hindexed_block":
      return isLarge(type.blocklength);
    case "subarray":
      return type.sizes.some(isLarge); // subsizes and starts are no larger
    case "darray":
      return type.gsizes.some(isLarge);
    case "resized":
    case "dup":
      return false;
  }
}
