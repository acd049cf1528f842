import { canonicalise, lower, type Datatype, type Layout } from "@stowage/ir";
import { modeOf, workloadOfSize, type ResultRow } from "@stowage/bench";
import type { DeviceRoute } from "@stowage/bench/device";

/** Rows of one workload at one size in one direction and on one route, in all modes. */
export interface CellRows {
  readonly datatype: Datatype;
  readonly layout: Layout;
  readonly count: number;
  readonly direction: "pack" | "unpack";
  readonly route: "host" | DeviceRoute;
  readonly rows: readonly ResultRow[];
}

/** Rows of one mode each. */
export const byMode = (rows: readonly ResultRow[]): readonly (readonly ResultRow[])[] =>
  [...new Set(rows.map(modeOf))].map((mode) => rows.filter((row) => modeOf(row) === mode));

/** Cells that were measured before; what names no workload of today is left out. */
export function earlierCells(rows: readonly ResultRow[]): readonly CellRows[] {
  const cells = new Map<string, ResultRow[]>();
  for (const row of rows) {
    const key = [row.workload, row.count, row.packedBytes, row.direction, row.route].join();
    cells.set(key, [...(cells.get(key) ?? []), row]);
  }
  return [...cells.values()].flatMap(cellOf);
}

function cellOf(rows: readonly ResultRow[]): readonly CellRows[] {
  const { workload, packedBytes, count, direction, route } = rows[0] as ResultRow;
  if (direction === "copy" || (route !== "host" && route !== "device" && route !== "one-shot")) return [];
  const { datatype, count: elements } = workloadOfSize(workload, packedBytes);
  const layout = canonicalise(lower(datatype));
  if (elements !== count || layout.sizeBytes * count !== packedBytes) return [];
  return [{ datatype, layout, count, direction, route, rows }];
}
