import type { Combiner, ContentsArguments, IntegerTable } from "@stowage/ir";
import type { RealContents } from "./real-contents.js";

type Arguments = Pick<ContentsArguments, "integers" | "addresses">;

/**
 * The arguments of a datatype as the calls with 32-bit counts order them: those of MPI 4.0's other calls stand among
 * the large counts, byte displacements too (MPI 4.1, section 5.1.13, table 5.1).
 */
export function plainArguments(combiner: Combiner, contents: RealContents): Arguments {
  const { integers, addresses, largeCounts } = contents;
  return largeCounts.length === 0 ? { integers, addresses } : fromLarge(combiner, integers, largeCounts);
}

function fromLarge(combiner: Combiner, integers: IntegerTable, large: IntegerTable): Arguments {
  switch (combiner) {
    case "MPI_COMBINER_NAMED":
    case "MPI_COMBINER_DUP":
    case "MPI_COMBINER_CONTIGUOUS":
    case "MPI_COMBINER_VECTOR":
    case "MPI_COMBINER_INDEXED":
    case "MPI_COMBINER_INDEXED_BLOCK":
      return { integers: large, addresses: [] };
    case "MPI_COMBINER_HVECTOR":
    case "MPI_COMBINER_HINDEXED_BLOCK":
      return splitAt(large, 2);
    case "MPI_COMBINER_HINDEXED":
    case "MPI_COMBINER_STRUCT":
      return splitAt(large, 1 + (large[0] as number));
    case "MPI_COMBINER_RESIZED":
      return splitAt(large, 0);
    case "MPI_COMBINER_SUBARRAY": // dimensions | sizes, subsizes, starts | order
      return { integers: [...integers.slice(0, 1), ...large, ...integers.slice(1)], addresses: [] };
    case "MPI_COMBINER_DARRAY": // size, rank, dimensions | gsizes | distribs, dargs, psizes, order
      return { integers: [...integers.slice(0, 3), ...large, ...integers.slice(3)], addresses: [] };
  }
}

const splitAt = (large: IntegerTable, end: number): Arguments => ({
  integers: large.slice(0, end),
  addresses: large.slice(end),
});
