import { grouped, type ResultRow } from "@stowage/bench";

/** Rows of one workload, count and size together. */
export const groupByWorkload = (rows: readonly ResultRow[]): readonly (readonly ResultRow[])[] => [
  ...grouped(rows, ({ workload, count, packedBytes }) => JSON.stringify([workload, count, packedBytes])).values(),
];

/** A workload as tables name it. */
export const nameOf = ({ workload, count }: ResultRow): string => (count === 1 ? workload : `${workload} x${count}`);
