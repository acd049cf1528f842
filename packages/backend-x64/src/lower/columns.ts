import { columnBytesOf } from "../loops/columns.js";
import type { Round } from "../loops/stream-plan.js";
import type { Emitter, Offsets } from "./emitter.js";
import { emitTransposed } from "./transposed.js";

/** A round of neighbouring columns, the first one at `offsets`. */
export function emitColumns(
  e: Emitter,
  { columns, children, order }: Extract<Round, { what: "columns" }>,
  offsets: Offsets,
): void {
  const { elementBytes, rows, rowStrideBytes } = columns;
  const columnBytes = columnBytesOf(columns);
  const dimensions =
    e.direction === "pack"
      ? { rows, rowStrideBytes, columns: children, columnStrideBytes: columnBytes }
      : { rows: children, rowStrideBytes: columnBytes, columns: rows, columnStrideBytes: rowStrideBytes };
  emitTransposed(e, { elementBytes, ...dimensions }, offsets, order);
}
