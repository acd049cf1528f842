import { LINE_BYTES } from "../../../loops/facts/cache.js";
import { byReach, inBlocks, nested, without, type Dimension } from "../../dimensions.js";
import type { NestRule } from "../../nest-rule.js";
import { run } from "../../pair.js";

/**
 * Lines in a block of runs, on each side: both sides stay in L1d. From 4 by 4 lines to 4 by all, blocks differ by less
 * than runs do.
 */
const BLOCK_LINES = 8;

/** Runs shorter than a line whose sides are nearest in different dimensions: these two in blocks of lines of both. */
export const blockedRuns: NestRule = {
  name: "blocked runs",
  plan(_, { dimensions, lengthBytes }) {
    const nearest = (stride: (dimension: Dimension) => number): Dimension | undefined =>
      dimensions.toSorted((a, b) => Math.abs(stride(a)) - Math.abs(stride(b)))[0];
    const [source, target] = [nearest(({ sourceBytes }) => sourceBytes), nearest(({ targetBytes }) => targetBytes)];
    if (lengthBytes >= LINE_BYTES) return "runs of a line and more, each of which fetches its own lines";
    if (source === undefined || target === undefined || source === target)
      return "both sides are nearest in the same dimension";
    const block = (BLOCK_LINES * LINE_BYTES) / 2 ** Math.ceil(Math.log2(lengthBytes));
    const blocked = inBlocks(source, block, (sources) =>
      inBlocks(target, block, (targets) =>
        nested(
          [
            { ...source, count: sources },
            { ...target, count: targets },
          ],
          run(lengthBytes),
        ),
      ),
    );
    return nested(byReach(without(dimensions, source, target)), blocked);
  },
};
