import { LINE_BYTES } from "../../loops/facts/cache.js";
import type { Counted } from "../counted.js";
import { sizeOf } from "../pair.js";

/** Children that are moved as one nest, and the bytes that such a nest has at most unless a line needs more of them. */
const MOST_TOGETHER = 64;
const TOGETHER_BYTES = 4096;

/** Enough children that neighbouring ones fill a line of the side on which they lie side by side. */
export function togetherOf({ child, sourceBytes, targetBytes }: Counted): number {
  const bySize = 2 ** Math.floor(Math.log2(Math.max(1, TOGETHER_BYTES / sizeOf(child))));
  const nearest = Math.min(...[sourceBytes, targetBytes].map(Math.abs).filter((stride) => stride > 0));
  const byLine = nearest < LINE_BYTES ? 2 ** Math.ceil(Math.log2(LINE_BYTES / nearest)) : 1;
  return Math.min(MOST_TOGETHER, Math.max(bySize, byLine));
}

/** Children of which so many stay below `nonTemporalBytes` are not worth a second copy of their code. */
const MOST_CHILDREN = 4096;

/** Whether children of so many bytes are worth code of their own out of cache. */
export const isWorthCode = (childBytes: number, nonTemporalBytes: number): boolean =>
  childBytes >= nonTemporalBytes / MOST_CHILDREN;
