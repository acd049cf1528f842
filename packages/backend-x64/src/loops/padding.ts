import type { Stream } from "@stowage/ir";
import type { LoopContext } from "./loop-context.js";
import { nopsOutOfCache } from "./rules/out-of-cache/padded-blocks.js";
import { isFenced } from "./rules/streams/fenced-stores.js";
import { nopsAgainstConflicts } from "./rules/streams/nop-padding.js";
import { isPageApart } from "./rules/streams/page-by-page.js";
import { isShort } from "./short-blocks.js";

/** NOP padding behind each block of a stream: it keeps later blocks out of the reorder buffer. */
export function nopsBehind(context: LoopContext, node: Stream): number {
  const isOutOfCache = context.outOfCache?.what === "padded";
  const space = isOutOfCache ? nopsOutOfCache(context, node.child, node.strideBytes) : 0;
  if (!isShort(node) || isFenced(context, node) || (isOutOfCache && isPageApart(context, node))) return space;
  return Math.max(space, nopsAgainstConflicts(context, node));
}
