import { scaleOf, type Cursor } from "../machine/cursor.js";
import { gatherBytes, scatterBytes, stridedBytes } from "./bytes.js";

/** Picks the loop over bytes at any address for the cursors' shape. */
export function moveBytes(source: Cursor, target: Cursor, count: number, blockBytes: number): void {
  const from = source.region.view;
  const to = target.region.view;
  const { table } = source;
  if (table !== undefined) {
    const scale = scaleOf(table, 1);
    const { at, strideBytes } = target;
    return gatherBytes(
      from,
      source.at,
      table.displacements,
      scale,
      source.block,
      to,
      at,
      strideBytes,
      count,
      blockBytes,
    );
  }
  const { at, strideBytes } = source;
  if (target.table !== undefined) {
    const scale = scaleOf(target.table, 1);
    const { displacements } = target.table;
    return scatterBytes(from, at, strideBytes, to, target.at, displacements, scale, target.block, count, blockBytes);
  }
  stridedBytes(from, at, strideBytes, to, target.at, target.strideBytes, count, blockBytes);
}
