import type { Stream } from "@stowage/ir";
import { LINE_BYTES, WAY_BYTES } from "./cache.js";
import type { LoopContext } from "./loop-context.js";

/** Whether a stream is of short blocks, each in a line of its own or two. */
export const isShort = ({ child }: Stream): boolean =>
  child.kind === "dense" && child.lengthBytes > 0 && child.lengthBytes <= LINE_BYTES;

/** More lie in memory, where waiting costs most. */
export const MOST_WAITED_FOR = 16_384;

/** Whether each store to so many lines so far apart waits for those before it. */
export const isFenced = (
  { direction, tuning }: LoopContext,
  { strideBytes, count }: Pick<Stream, "strideBytes" | "count">,
): boolean =>
  tuning.limitSetConflicts &&
  direction === "unpack" &&
  strideBytes !== 0 &&
  strideBytes % WAY_BYTES === 0 &&
  count <= MOST_WAITED_FOR;

/** Blocks whose lines fill half of an L2 of 1 MiB. */
const MOST_CACHED = 8192;

/** Elements of a run-time count are a stream of 1 here. */
export const isCached = (count: number): boolean => count > 1 && count <= MOST_CACHED;
