import type { OverheadRow } from "../src/index.js";

/** A row of which only some is said. */
export function point(
  row: Partial<OverheadRow> & Pick<OverheadRow, "experiment" | "panel" | "x" | "medianNs">,
): OverheadRow {
  const { medianNs } = row;
  return { mpi: "mpi-1", ranks: 2, series: "MPI", by: "c", minNs: medianNs, maxNs: medianNs, samples: 9, ...row };
}

const line = (
  base: number,
  slope: number,
  xs: readonly number[],
  row: Pick<OverheadRow, "experiment" | "panel"> & Partial<OverheadRow>,
) => xs.map((x) => point({ ...row, x, medianNs: base + slope * x }));

const COUNTS = [1, 8, 64, 512];
const BYTES = [1024, 65_536];

/** What the terms of a halo exchange are made of: in each panel numbers that one can tell. */
export const WHOLE: readonly OverheadRow[] = [
  ...line(100, 0, [8], { experiment: "stack", panel: "latency" }),
  ...line(40, 0, [8], { experiment: "stack", panel: "latency", series: "shared memory" }),
  ...line(100, 0, [8], { experiment: "requests", panel: "latency", series: "blocking" }),
  ...line(105, 0, [8], { experiment: "requests", panel: "latency", series: "nonblocking" }),
  ...line(80, 2, COUNTS, { experiment: "matching", panel: "requests" }),
  ...line(40, 1.5, COUNTS, { experiment: "unexpected", panel: "messages" }),
  ...line(30, 0.25, COUNTS, { experiment: "waitany", panel: "requests" }),
  ...line(3, 0, [0], { experiment: "checking", panel: "call", series: "checked" }),
  ...line(2, 0, [0], { experiment: "checking", panel: "call", series: "unchecked" }),
  ...line(200, 0.1, BYTES, { experiment: "datatypes", panel: "long", series: "contiguous" }),
  ...line(200, 0.6, BYTES, { experiment: "datatypes", panel: "long", series: "double" }),
  ...[2, 4, 8].flatMap((ranks) => line(50, 10, [ranks], { experiment: "sparse", panel: "alltoallv", ranks })),
];
