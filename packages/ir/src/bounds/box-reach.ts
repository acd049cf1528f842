import { dimensionShares } from "../datatype/dimension-share.js";
import { dimensionsFromFastest, type Order } from "../datatype/order.js";
import { requireSafeInteger } from "../safe-integer.js";
import { NO_REACH, type Reach } from "./reach.js";
import type { Darray, Subarray } from "../datatype/datatype.js";

/** The elements of one dimension that a type holds: `elements` of them, in [firstElement, lastElement]. */
interface Interval {
  readonly elements: number;
  readonly firstElement: number;
  readonly lastElement: number;
}

/** What a type holds of an array: the reach of its elements, and the extent of the whole array. */
export interface BoxReach {
  readonly reach: Reach;
  readonly arrayExtentBytes: number;
}

export function subarrayReach(box: Subarray, elementExtentBytes: number): BoxReach {
  const intervals = box.sizes.map((_, i) => {
    const elements = box.subsizes[i] as number;
    const firstElement = box.starts[i] as number;
    return { elements, firstElement, lastElement: firstElement + elements - 1 };
  });
  return boxReach(box.sizes, intervals, box.order, elementExtentBytes);
}

export function darrayReach(share: Darray, elementExtentBytes: number): BoxReach {
  const intervals = dimensionShares(share).map((along) => {
    const elements = along.fullBlocks * along.blockElements + along.lastElements;
    const blocks = along.fullBlocks + (along.lastElements > 0 ? 1 : 0);
    const lastLength = along.lastElements > 0 ? along.lastElements : along.blockElements;
    const lastElement = along.firstElement + (blocks - 1) * along.strideElements + lastLength - 1;
    return { elements, firstElement: along.firstElement, lastElement };
  });
  return boxReach(share.gsizes, intervals, share.order, elementExtentBytes);
}

function boxReach(
  sizes: readonly number[],
  intervals: readonly Interval[],
  order: Order,
  elementExtentBytes: number,
): BoxReach {
  let strideBytes = elementExtentBytes;
  let copies = 1;
  let lowestBytes = 0;
  let highestBytes = 0;
  for (const dimension of dimensionsFromFastest(sizes.length, order)) {
    const { elements, firstElement, lastElement } = intervals[dimension] as Interval;
    copies *= elements;
    lowestBytes += Math.min(firstElement * strideBytes, lastElement * strideBytes);
    highestBytes += Math.max(firstElement * strideBytes, lastElement * strideBytes);
    strideBytes = requireSafeInteger((sizes[dimension] as number) * strideBytes, "extent of array in bytes");
  }
  const reach = copies === 0 ? NO_REACH : { copies, lowestBytes, highestBytes };
  return { reach, arrayExtentBytes: strideBytes };
}
