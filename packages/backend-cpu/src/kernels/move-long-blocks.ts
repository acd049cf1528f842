import type { Cursor } from "../machine/cursor.js";
import type { RunViews } from "../machine/run-views.js";

/** Moves `count` blocks, each long enough that copying it through a view is the fastest way. */
export function moveLongBlocks(
  source: Cursor,
  target: Cursor,
  count: number,
  blockBytes: number,
  views: RunViews,
): void {
  const from = source.region.bytes;
  const to = target.region.bytes;
  for (let block = 0; block < count; block++) {
    const at = blockAt(source, block);
    to.set(views.take(from, at, at + blockBytes), blockAt(target, block));
  }
}

function blockAt({ at, strideBytes, table, block: first }: Cursor, block: number): number {
  if (table === undefined) return at + block * strideBytes;
  return at + (table.displacements[first + block] as number) * table.unitBytes;
}
